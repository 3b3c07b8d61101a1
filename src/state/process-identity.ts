import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Holder, Liveness } from '../plan/submission.js'
import { bootId, machineDigest, quietly } from './machine-facts.js'

/** The process table of a system; a test simulates another one. */
export interface ProcessTable {
  /** Identifies this process for other runs. Where the system does not report more, only host and number are known. */
  self(): Promise<Holder>
  /** True where any process has this number. */
  isThere(pid: number): boolean
  stat(pid: number): Promise<ProcessStat | undefined>
}

interface ProcessStat {
  readonly pid: number
  readonly startedAt: string
  /** One letter, such as Z for a process that ended and was not waited for. */
  readonly state: string | undefined
}

/** The processes that are visible to this one. */
const systemTable: ProcessTable = { self: thisProcess, isThere, stat: readStat }

/** Read once: nothing of it changes while the process runs, and every version of a state asks for it twice. */
let known: Holder | undefined

/** Identifies this process for other runs. Where the system does not report more, only host and number are known. */
export async function thisProcess(): Promise<Holder> {
  if (known?.startedAt === undefined) known = await readThisProcess()
  return known
}

async function readThisProcess(): Promise<Holder> {
  const plain = { host: hostname(), pid: process.pid }
  const self = await readStat('self')
  // A container may see the process table of its host, where its own numbers mean other processes.
  if (self?.pid !== process.pid) return plain
  const boot = await bootId()
  const namespace = await quietly(() => readlink('/proc/self/ns/pid'))
  if (boot === undefined || namespace === undefined) return plain
  const machine = await machineDigest()
  return {
    ...plain,
    startedAt: self.startedAt,
    boot,
    namespace,
    ...(machine !== undefined && { machine }),
  }
}

/** The facts within which a process number identifies one process. */
const placeFacts = ['host', 'machine', 'boot', 'namespace'] as const

/**
 * Determines whether a process still runs. A stopped process does; a process whose number was reused does not. It is
 * `dead` only if this process would see it: host, machine, boot and PID namespace are known and the same. Otherwise it
 * is `elsewhere`: a cloned machine has the same name, and containers share a boot.
 */
export async function liveness(holder: Holder, table: ProcessTable = systemTable): Promise<Liveness> {
  const self = await table.self()
  if (placeFacts.some(fact => holder[fact] !== self[fact])) return 'elsewhere'
  const isVisible = placeFacts.every(fact => self[fact] !== undefined) && holder.startedAt !== undefined
  const gone = isVisible ? 'dead' : 'elsewhere'
  if (!table.isThere(holder.pid)) return gone
  const found = self.startedAt === undefined ? undefined : await table.stat(holder.pid)
  if (found === undefined) return 'alive'
  return found.startedAt !== holder.startedAt || found.state === 'Z' || found.state === 'X' ? gone : 'alive'
}

/**
 * Reads state and start of a process (proc_pid_stat(5)); the name in it may contain anything, and ends with the last
 * bracket.
 */
async function readStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  const text = await quietly(() => readFile(`/proc/${pid}/stat`, 'utf8'))
  const [state, ...fields] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  const startedAt = fields[18]
  return text === undefined || startedAt === undefined
    ? undefined
    : { pid: Number.parseInt(text, 10), state, startedAt }
}

/** Checks a process number by signal 0: any error but ESRCH, such as a missing permission, proves that it exists. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
