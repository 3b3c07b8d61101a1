import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import type { MachineTime } from '../plan/submission.js'

/** Names this run of the kernel (random(4)); `undefined` where the system does not say it. */
export async function bootId(): Promise<string | undefined> {
  return readText('/proc/sys/kernel/random/boot_id')
}

/** Digests the number of this machine, which it keeps to itself (machine-id(5)); `undefined` where it has none. */
export async function machineDigest(): Promise<string | undefined> {
  const machine = await readText('/etc/machine-id')
  return machine && digest(`landform ${machine}`)
}

/**
 * Reads the clock of this machine that only grows: nobody sets it, and all processes of one boot share it. `undefined`
 * where the system does not tell which run of which machine it is.
 */
export async function machineTime(): Promise<MachineTime | undefined> {
  const [machine, boot] = [await machineDigest(), await bootId()]
  // Where the kernel has namespaces of time, the clock of a container may be shifted (time_namespaces(7)).
  const namespace = (await quietly(() => readlink('/proc/self/ns/time'))) ?? ''
  if (machine === undefined || boot === undefined) return undefined
  return { of: digest(`${machine} ${boot} ${namespace}`), ms: Number(process.hrtime.bigint() / 1_000_000n) }
}

/** Gives what a file of the system tells, or nothing. */
export async function quietly<T>(read: () => Promise<T>): Promise<T | undefined> {
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
