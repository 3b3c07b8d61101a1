import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** The bytes of a file, or why there are none; `problem` ends a sentence that begins with the path. */
export type FileReply =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly problem: string }

/**
 * Reads a regular file below a folder. The manifest is not trusted: links that lead out, devices, pipes and
 * files over the limit are refused, and nothing is opened outside the folder.
 */
export async function readJailed(folder: string, path: string, mostBytes: number): Promise<FileReply> {
  try {
    const root = await realpath(folder)
    const wanted = join(root, path)
    const real = await realpath(wanted)
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
      return { kind: 'unusable', problem: 'leads out of its folder' }
    return await readRegular(real, mostBytes)
  } catch (error) {
    return refusal(error)
  }
}

/** Reads a regular file that may lie anywhere, for a path that nobody typed: no device is read, no pipe waited for. */
export async function readUntyped(path: string, mostBytes: number): Promise<FileReply> {
  try {
    return await readRegular(await realpath(path), mostBytes)
  } catch (error) {
    return refusal(error)
  }
}

/** The last link is resolved already; without following a new one or waiting for a pipe, the rest is read. */
async function readRegular(path: string, mostBytes: number): Promise<FileReply> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return { kind: 'unusable', problem: 'is not a regular file' }
    if (stats.size > mostBytes) return { kind: 'unusable', problem: `is larger than ${mostBytes} bytes` }
    if (await leadsElsewhere(handle, path))
      return { kind: 'unusable', problem: 'was replaced while it was read' }
    // What some file systems make when it is read has no size before.
    const bytes = await readUpTo(handle, (stats.size === 0 ? mostBytes : stats.size) + 1)
    const problem = problemOf(bytes.byteLength, stats.size, mostBytes)
    if (problem === undefined) return { kind: 'read', bytes }
    bytes.fill(0)
    return { kind: 'unusable', problem }
  } finally {
    await handle.close()
  }
}

/** A folder on the way may have become a link since it was looked at; where Linux says what is open, nothing gets past. */
async function leadsElsewhere({ fd }: FileHandle, path: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${fd}`).catch(() => realpath(path))
  return opened !== path && opened !== `${path} (deleted)`
}

function problemOf(length: number, size: number, mostBytes: number): string | undefined {
  if (length === 0) return 'is empty'
  if (length > mostBytes) return `is larger than ${mostBytes} bytes`
  return size === 0 || length === size ? undefined : 'changed while it was read'
}

/** Into one buffer: `readFile` gathers a large file from pieces, which stay behind in memory, unwiped. */
async function readUpTo(handle: FileHandle, most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(most)
  let length = 0
  while (length < most) {
    const { bytesRead } = await handle.read(bytes, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function refusal(error: unknown): FileReply {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  if (code === 'ENAMETOOLONG') return { kind: 'unusable', problem: 'is longer than a path may be' }
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'unusable', problem: 'may not be read' }
  if (code === 'ELOOP') return { kind: 'unusable', problem: 'is a link that leads nowhere' }
  if (code === 'ENXIO') return { kind: 'unusable', problem: 'is not a regular file' }
  if (code !== undefined) return { kind: 'unusable', problem: `cannot be read (${code})` }
  throw error
}
