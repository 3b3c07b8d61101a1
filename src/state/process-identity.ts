import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Holder, Liveness } from '../plan/submission.js'

/** Number of the namespace that a machine starts with (Linux, include/linux/proc_ns.h). */
const firstNamespace = 'pid:[4026531836]'

/** This process, as other runs will know it. Where the system does not say it, only host and number are known. */
export async function thisProcess(): Promise<Holder> {
  const plain = { host: hostname(), pid: process.pid }
  const self = await statOf('self')
  // A container may see the process table of its machine, where its own numbers mean others.
  if (self?.pid !== process.pid) return plain
  const boot = (await quietly(() => readFile('/proc/sys/kernel/random/boot_id', 'utf8')))?.trim()
  const namespace = await namespaceOf()
  if (boot === undefined || namespace === undefined) return plain
  return { ...plain, startedAt: self.startedAt, boot, namespace }
}

/**
 * Whether a process still runs. A stopped one does; one whose number was given to another does not; what cannot be told
 * from here is `elsewhere`. It is never `dead` by a guess.
 */
export async function liveness(holder: Holder): Promise<Liveness> {
  const self = await thisProcess()
  if (holder.host !== self.host || holder.namespace !== self.namespace) return 'elsewhere'
  // The machine was started anew; of a container, another machine may have one like it.
  if (holder.boot !== self.boot) return holder.namespace?.startsWith('machine:') ? 'dead' : 'elsewhere'
  if (!isThere(holder.pid)) return 'dead'
  const found = self.startedAt === undefined ? undefined : await statOf(holder.pid)
  if (found === undefined) return 'alive'
  return found.startedAt !== holder.startedAt || found.state === 'Z' || found.state === 'X' ? 'dead' : 'alive'
}

/** The machine itself, by its own name for itself; a container, by its number there. */
async function namespaceOf(): Promise<string | undefined> {
  const namespace = await quietly(() => readlink('/proc/self/ns/pid'))
  if (namespace !== firstNamespace) return namespace
  const machine = (await quietly(() => readFile('/etc/machine-id', 'utf8')))?.trim()
  // Machines keep this number to themselves, so only a digest of it is told (machine-id(5)).
  return machine
    ? `machine:${createHash('sha256').update(`landform ${machine}`).digest('hex').slice(0, 16)}`
    : namespace
}

/** State and start of a process (proc_pid_stat(5)); the name in it may hold anything, and ends with the last bracket. */
async function statOf(pid: number | 'self') {
  const text = await quietly(() => readFile(`/proc/${pid}/stat`, 'utf8'))
  const [state, ...fields] = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  const startedAt = fields[18]
  return text === undefined || startedAt === undefined
    ? undefined
    : { pid: Number.parseInt(text, 10), state, startedAt }
}

/** Asking needs no permission to succeed: a refusal says that it is there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function quietly<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
