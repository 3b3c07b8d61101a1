import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileDefect } from '../diagnostics/reference-defect.js'
import { startDigest } from '../manifest/digest.js'
import { type OpenFile, pieceBytes } from './secret.js'

/** The bytes of a file, or the reason why there are none. */
export type FileReply = { readonly kind: 'read'; readonly bytes: Buffer } | RejectedFile

/** A file that is read later. */
export interface OpenedFile {
  readonly kind: 'opened'
  readonly file: OpenFile
}

/** The limits for the length of a file, and of one that is read as a whole. */
interface FileLimits {
  readonly maxBytes: number
  readonly wholeBytes: number
}

/** The digest of a file, or the reason why it was not read. */
export type DigestReply = { readonly kind: 'digested'; readonly digest: string } | RejectedFile

/** The reason why a file is rejected. */
export type RejectedFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly defect: FileDefect }

/**
 * Reads a regular file below a folder. The manifest is not trusted: links that lead out, devices, pipes and files over the
 * limit are rejected, and nothing is opened outside the folder.
 */
export async function readJailed(folder: string, path: string, maxBytes: number): Promise<FileReply> {
  const taken = await readOpened(() => resolveInside(folder, path), maxBytes, readWhole)
  return taken.kind === 'taken' ? { kind: 'read', bytes: taken.value } : taken
}

/** Reads a file as `readJailed` does, but only opens one that is longer than `wholeBytes`. The caller closes it. */
export async function openJailed(
  folder: string,
  path: string,
  { maxBytes, wholeBytes }: FileLimits,
): Promise<FileReply | OpenedFile> {
  const taken = await readOpened<Buffer | OpenFile>(
    () => resolveInside(folder, path),
    maxBytes,
    (handle, max) => (max - 1 > wholeBytes ? keepOpen(handle) : readWhole(handle, max)),
  )
  if (taken.kind !== 'taken') return taken
  const { value } = taken
  return Buffer.isBuffer(value) ? { kind: 'read', bytes: value } : { kind: 'opened', file: value }
}

/** Digests a file below a folder piece by piece. */
export async function digestJailed(folder: string, path: string, maxBytes: number): Promise<DigestReply> {
  const taken = await readOpened(() => resolveInside(folder, path), maxBytes, digestContent)
  return taken.kind === 'taken' ? { kind: 'digested', digest: taken.value } : taken
}

/** Reads a regular file anywhere, for a path that Landform builds itself. Devices and pipes are rejected. */
export async function readUntyped(path: string, maxBytes: number): Promise<FileReply> {
  const taken = await readOpened(() => realpath(path), maxBytes, readWhole)
  return taken.kind === 'taken' ? { kind: 'read', bytes: taken.value } : taken
}

/** Resolves a path, if it stays below the folder. */
async function resolveInside(folder: string, path: string): Promise<string | RejectedFile> {
  const root = await realpath(folder)
  const real = await realpath(join(root, path))
  const isBelow = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
  return isBelow ? real : rejectFile({ kind: 'outside-folder' })
}

/** The content of a file, up to a limit; `forget` wipes it. */
interface Content<T> {
  readonly length: number
  readonly value: T
  /** True if the caller keeps the file open and closes it. */
  readonly staysOpen?: true
  forget(): void
}

type TakenFile<T> = { readonly kind: 'taken'; readonly value: T } | RejectedFile

/** Opens a resolved path without following a new link or waiting for a pipe, and takes its content. */
async function readOpened<T>(
  where: () => Promise<string | RejectedFile>,
  maxBytes: number,
  take: (handle: FileHandle, max: number) => Promise<Content<T>>,
): Promise<TakenFile<T>> {
  let handle: FileHandle | undefined
  try {
    const path = await where()
    if (typeof path !== 'string') return path
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (!stats.isFile()) return rejectFile({ kind: 'not-a-regular-file' })
    if (stats.size > maxBytes) return rejectFile({ kind: 'too-large', limitBytes: maxBytes })
    if (await leadsElsewhere(handle, path)) return rejectFile({ kind: 'replaced-while-read' })
    // Files that a file system generates, as in /proc, report size 0.
    const content = await take(handle, (stats.size === 0 ? maxBytes : stats.size) + 1)
    const defect = findFileDefect(content.length, stats.size, maxBytes)
    if (defect === undefined && content.staysOpen) handle = undefined
    if (defect === undefined) return { kind: 'taken', value: content.value }
    content.forget()
    return rejectFile(defect)
  } catch (error) {
    return toRejectedFile(error)
  } finally {
    await handle?.close()
  }
}

/**
 * Tests whether a folder of the path has become a link since the path was resolved. On Linux, the path of the open file shows
 * every such change.
 */
async function leadsElsewhere({ fd }: FileHandle, path: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${fd}`).catch(() => realpath(path))
  return opened !== path && opened !== `${path} (deleted)`
}

function findFileDefect(length: number, size: number, maxBytes: number): FileDefect | undefined {
  if (length === 0) return { kind: 'empty' }
  if (length > maxBytes) return { kind: 'too-large', limitBytes: maxBytes }
  return size === 0 || length === size ? undefined : { kind: 'changed-while-read' }
}

function rejectFile(defect: FileDefect): RejectedFile {
  return { kind: 'unusable', defect }
}

/** Reads into one buffer: `readFile` joins a large file from pieces, which stay in memory, unwiped. */
async function readWhole(handle: FileHandle, max: number): Promise<Content<Buffer>> {
  const all = Buffer.allocUnsafeSlow(max)
  const length = await fillBuffer(handle, all)
  return { length, value: all.subarray(0, length), forget: () => all.fill(0) }
}

async function keepOpen(handle: FileHandle): Promise<Content<OpenFile>> {
  const opened = await handle.stat({ bigint: true })
  const file: OpenFile = {
    byteLength: Number(opened.size),
    read: (into, from) => fillBuffer(handle, into, from),
    async isUnchanged() {
      const now = await handle.stat({ bigint: true })
      return now.size === opened.size && now.mtimeNs === opened.mtimeNs && now.ctimeNs === opened.ctimeNs
    },
    close: () => void handle.close().catch(() => undefined),
  }
  return { length: file.byteLength, value: file, staysOpen: true, forget: () => undefined }
}

async function digestContent(handle: FileHandle, max: number): Promise<Content<string>> {
  const piece = Buffer.allocUnsafeSlow(Math.min(max, pieceBytes))
  const sum = startDigest()
  let length = 0
  for (let read = piece.byteLength; read === piece.byteLength && length < max; ) {
    read = await fillBuffer(handle, piece)
    sum.update(piece.subarray(0, read))
    length += read
  }
  piece.fill(0)
  return { length, value: sum.digest(), forget: () => undefined }
}

/** Fills a buffer, from the current position of a file unless another is given; returns the number of bytes. */
async function fillBuffer(handle: FileHandle, bytes: Buffer, from?: number): Promise<number> {
  let length = 0
  while (length < bytes.byteLength) {
    const position = from === undefined ? null : from + length
    const { bytesRead } = await handle.read(bytes, length, bytes.byteLength - length, position)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return length
}

function toRejectedFile(error: unknown): RejectedFile {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
  if (code === 'ENAMETOOLONG') return rejectFile({ kind: 'path-too-long' })
  if (code === 'EACCES' || code === 'EPERM') return rejectFile({ kind: 'not-readable' })
  if (code === 'ELOOP') return rejectFile({ kind: 'dangling-link' })
  if (code === 'ENXIO') return rejectFile({ kind: 'not-a-regular-file' })
  if (code !== undefined) return rejectFile({ kind: 'read-failed', errno: code })
  throw error
}
