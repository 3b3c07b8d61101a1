import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import type { MachineTime } from '../plan/submission.js'

/** Reads the id of this boot of the kernel (random(4)); `undefined` where the system does not report it. */
export async function bootId(): Promise<string | undefined> {
  return readText('/proc/sys/kernel/random/boot_id')
}

/** Digests the id of this machine, which must not be disclosed (machine-id(5)); `undefined` without an id. */
export async function machineDigest(): Promise<string | undefined> {
  const machine = await readText('/etc/machine-id')
  return machine && digest(`landform ${machine}`)
}

/**
 * Reads the monotonic clock of this machine: it cannot be set, and all processes of one boot share it. `undefined`
 * where the system does not identify the machine or the boot.
 */
export async function machineTime(): Promise<MachineTime | undefined> {
  const [machine, boot] = [await machineDigest(), await bootId()]
  // A time namespace of the kernel may shift the clock of a container (time_namespaces(7)).
  const namespace = (await quietly(() => readlink('/proc/self/ns/time'))) ?? ''
  if (machine === undefined || boot === undefined) return undefined
  return { of: digest(`${machine} ${boot} ${namespace}`), ms: Number(process.hrtime.bigint() / 1_000_000n) }
}

/** Runs a read of system information, and returns `undefined` where it fails. */
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
