import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, lstat, mkdir, open, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Holder, Liveness, MachineTime } from '../plan/submission.js'

/** The properties of an existing file. */
export type FileFacts = Pick<
  Stats,
  'isFile' | 'isDirectory' | 'isSymbolicLink' | 'uid' | 'mode' | 'ino' | 'dev'
>

/** An open file or folder. */
export interface DiskFile {
  stat(): Promise<FileFacts>
  readFile(encoding: 'utf8'): Promise<string>
  writeFile(text: string): Promise<void>
  /** Returns once the content of a file, or the names in a folder, are durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The disk operations for state in files, as in `node:fs/promises`, with the errors of the operating system. */
export interface Disk {
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>
  mkdir(path: string, how: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  link(file: string, path: string): Promise<void>
  rm(path: string, how: { readonly force: true }): Promise<void>
  readdir(path: string): Promise<string[]>
  stat(path: string): Promise<FileFacts>
  lstat(path: string): Promise<FileFacts>
}

/** The disk with the files, and the processes that may write to it. A test simulates a machine that loses power. */
export interface Machine {
  readonly disk: Disk
  /** Identifies this process to other runs. */
  self(): Promise<Holder>
  liveness(holder: Holder): Promise<Liveness>
}

/** The machine that this process runs on. */
export const thisMachine: Machine = {
  disk: { link, lstat, mkdir: makeFolders, open, readdir, rm, stat },
  self: thisProcess,
  liveness,
}

/**
 * Creates a folder and its parents, and returns the first that it created. Node's recursive `mkdir` never returns if
 * /proc rejects a folder.
 */
async function makeFolders(path: string, { mode }: { readonly mode: number }): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return undefined
  const outer = dirname(path)
  const first = outer === path ? undefined : await makeFolders(outer, { mode })
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another run may have just created it.
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error
  })
  return first ?? path
}

/** The process table of a system; a test simulates another one. */
export interface ProcessTable {
  /** Identifies this process to other runs. If the system reports no more, only the host and the process number are known. */
  self(): Promise<Holder>
  /** True if any process has this number. */
  isThere(pid: number): boolean
  stat(pid: number): Promise<ProcessStat | undefined>
}

interface ProcessStat {
  readonly pid: number
  readonly startedAt: string
  /** One letter, such as Z for a process that ended but was not reaped. */
  readonly state: string | undefined
}

/** The process table that this process sees. */
const systemTable: ProcessTable = { self: thisProcess, isThere, stat: readStat }

/** Cached: it does not change while the process runs, and every version of a state reads it twice. */
let known: Holder | undefined

/** Identifies this process to other runs. If the system reports no more, only the host and the process number are known. */
export async function thisProcess(): Promise<Holder> {
  if (known?.startedAt === undefined) known = await readThisProcess()
  return known
}

async function readThisProcess(): Promise<Holder> {
  const plain = { host: hostname(), pid: process.pid }
  const self = await readStat('self')
  // A container may see the process table of its host, in which its own numbers belong to other processes.
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
 * Determines whether a process still runs: a stopped process does, one whose number was reused does not. Returns `dead`
 * only if this process would see it, that is, if host, machine, boot and PID namespace are known and the same.
 * Otherwise returns `elsewhere`: cloned machines have the same host name, and containers share a boot.
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
 * Reads the state and the start of a process (proc_pid_stat(5)). The process name may contain any character, and ends
 * at the last parenthesis.
 */
async function readStat(pid: number | 'self'): Promise<ProcessStat | undefined> {
  const text = await quietly(() => readFile(`/proc/${pid}/stat`, 'utf8'))
  if (text === undefined) return undefined
  const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const startedAt = fields[18]
  return startedAt === undefined ? undefined : { pid: Number.parseInt(text, 10), state, startedAt }
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

/** Reads the boot ID of the kernel (random(4)); `undefined` if the system does not report it. */
async function bootId(): Promise<string | undefined> {
  return readText('/proc/sys/kernel/random/boot_id')
}

/** Digests the machine ID, which must not be disclosed (machine-id(5)); `undefined` if there is none. */
async function machineDigest(): Promise<string | undefined> {
  const machine = await readText('/etc/machine-id')
  return machine && digest(`landform ${machine}`)
}

/**
 * Reads the monotonic clock of this machine, which cannot be set and which all processes of one boot share. `undefined`
 * if the system does not identify the machine or the boot.
 */
export async function machineTime(): Promise<MachineTime | undefined> {
  const [machine, boot] = [await machineDigest(), await bootId()]
  // A time namespace of the kernel may shift the clock of a container (time_namespaces(7)).
  const namespace = (await quietly(() => readlink('/proc/self/ns/time'))) ?? ''
  if (machine === undefined || boot === undefined) return undefined
  return { of: digest(`${machine} ${boot} ${namespace}`), ms: Number(process.hrtime.bigint() / 1_000_000n) }
}

/** Reads system information; `undefined` if the read fails. */
async function quietly<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}

async function readText(path: string): Promise<string | undefined> {
  const text = (await quietly(() => readFile(path, 'utf8')))?.trim()
  return text === '' ? undefined : text
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
