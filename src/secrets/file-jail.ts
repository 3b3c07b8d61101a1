import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileDefect } from '../diagnostics/reference-defect.js'
import { digesting } from '../manifest/digest.js'

/** The bytes of a file, or the reason that there are none. */
export type FileReply = { readonly kind: 'read'; readonly bytes: Buffer } | Refused

/** The digest of a file, or the reason that there is none. */
export type DigestReply = { readonly kind: 'digested'; readonly digest: string } | Refused

/** The reason that a file is rejected. */
export type Refused =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly defect: FileDefect }

/**
 * Reads a regular file below a folder. The manifest is not trusted: links that lead out, devices, pipes and
 * files over the limit are refused, and nothing is opened outside the folder.
 */
export async function readJailed(folder: string, path: string, mostBytes: number): Promise<FileReply> {
  const taken = await taking(() => jailed(folder, path), mostBytes, wholeOf)
  return taken.kind === 'taken' ? { kind: 'read', bytes: taken.value } : taken
}

/** Digests such a file, without ever having all of it in memory. */
export async function digestJailed(folder: string, path: string, mostBytes: number): Promise<DigestReply> {
  const taken = await taking(() => jailed(folder, path), mostBytes, digestOf)
  return taken.kind === 'taken' ? { kind: 'digested', digest: taken.value } : taken
}

/** Reads a regular file that may lie anywhere, for a path that nobody typed: no device is read, no pipe waited for. */
export async function readUntyped(path: string, mostBytes: number): Promise<FileReply> {
  const taken = await taking(() => realpath(path), mostBytes, wholeOf)
  return taken.kind === 'taken' ? { kind: 'read', bytes: taken.value } : taken
}

/** Resolves a path, if it stays below the folder. */
async function jailed(folder: string, path: string): Promise<string | Refused> {
  const root = await realpath(folder)
  const real = await realpath(join(root, path))
  const isBelow = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
  return isBelow ? real : unusable({ kind: 'outside-folder' })
}

/** The content of a file, up to a limit; `forget` wipes it. */
interface Content<T> {
  readonly length: number
  readonly value: T
  forget(): void
}

type Taken<T> = { readonly kind: 'taken'; readonly value: T } | Refused

/** The last link is resolved already; without following a new one or waiting for a pipe, the rest is taken. */
async function taking<T>(
  where: () => Promise<string | Refused>,
  mostBytes: number,
  take: (handle: FileHandle, most: number) => Promise<Content<T>>,
): Promise<Taken<T>> {
  let handle: FileHandle | undefined
  try {
    const path = await where()
    if (typeof path !== 'string') return path
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (!stats.isFile()) return unusable({ kind: 'not-a-regular-file' })
    if (stats.size > mostBytes) return unusable({ kind: 'too-large', limitBytes: mostBytes })
    if (await leadsElsewhere(handle, path)) return unusable({ kind: 'replaced-while-read' })
    // What some file systems make when it is read has no size before.
    const content = await take(handle, (stats.size === 0 ? mostBytes : stats.size) + 1)
    const defect = problemOf(content.length, stats.size, mostBytes)
    if (defect === undefined) return { kind: 'taken', value: content.value }
    content.forget()
    return unusable(defect)
  } catch (error) {
    return refusal(error)
  } finally {
    await handle?.close()
  }
}

/**
 * A folder of the path may have become a link since it was resolved. On Linux the path of the open file shows every such
 * change.
 */
async function leadsElsewhere({ fd }: FileHandle, path: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${fd}`).catch(() => realpath(path))
  return opened !== path && opened !== `${path} (deleted)`
}

function problemOf(length: number, size: number, mostBytes: number): FileDefect | undefined {
  if (length === 0) return { kind: 'empty' }
  if (length > mostBytes) return { kind: 'too-large', limitBytes: mostBytes }
  return size === 0 || length === size ? undefined : { kind: 'changed-while-read' }
}

function unusable(defect: FileDefect): Refused {
  return { kind: 'unusable', defect }
}

/** Reads into one buffer: `readFile` joins a large file from pieces, which stay in memory, unwiped. */
async function wholeOf(handle: FileHandle, most: number): Promise<Content<Buffer>> {
  const all = Buffer.allocUnsafeSlow(most)
  const length = await filled(handle, all)
  return { length, value: all.subarray(0, length), forget: () => all.fill(0) }
}

const pieceBytes = 256 * 1024

async function digestOf(handle: FileHandle, most: number): Promise<Content<string>> {
  const piece = Buffer.allocUnsafeSlow(Math.min(most, pieceBytes))
  const sum = digesting()
  let length = 0
  for (let read = piece.byteLength; read === piece.byteLength && length < most; ) {
    read = await filled(handle, piece)
    sum.update(piece.subarray(0, read))
    length += read
  }
  piece.fill(0)
  return { length, value: sum.digest(), forget: () => undefined }
}

/** Fills a buffer from the current position of a file; returns the number of bytes. */
async function filled(handle: FileHandle, bytes: Buffer): Promise<number> {
  let length = 0
  while (length < bytes.byteLength) {
    const { bytesRead } = await handle.read(bytes, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return length
}

function refusal(error: unknown): Refused {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  if (code === 'ENAMETOOLONG') return unusable({ kind: 'path-too-long' })
  if (code === 'EACCES' || code === 'EPERM') return unusable({ kind: 'not-readable' })
  if (code === 'ELOOP') return unusable({ kind: 'dangling-link' })
  if (code === 'ENXIO') return unusable({ kind: 'not-a-regular-file' })
  if (code !== undefined) return unusable({ kind: 'read-failed', errno: code })
  throw error
}
