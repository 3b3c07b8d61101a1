import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { FileDefect } from '../diagnostics/reference-defect.js'
import type { Source } from '../manifest/source.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import type { Result } from '../result.js'
import { readJailed } from '../secrets/file-jail.js'

/** A file that cannot be used. */
export interface FileProblem {
  readonly kind: 'file'
  readonly what: 'manifest' | 'scenario' | 'policy' | 'property-file' | 'test'
  readonly file: string
  readonly because: 'missing' | 'not-allowed'
  readonly defect: NamedFileDefect
}

/** The reason why a named file cannot be used. */
export type NamedFileDefect =
  | FileDefect
  | { readonly kind: 'missing' }
  /** The folder of a text that was passed without a file does not exist. */
  | { readonly kind: 'missing-folder' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link-outside-repository' }
  | { readonly kind: 'absolute-path' }

export type NamedFile = Result<Source, FileProblem>

/** Reads a file that a user or a program named. */
export function readNamed(file: string, what: FileProblem['what']): NamedFile {
  const refused = (because: FileProblem['because'], defect: NamedFileDefect): NamedFile => ({
    ok: false,
    error: { kind: 'file', what, file, because, defect },
  })
  const follows = isLink(file)
  if (follows && leadsOut(file)) return refused('not-allowed', { kind: 'link-outside-repository' })
  const read = readLimited(file, { maxBytes: yamlLimits.bytes, follows })
  return read.ok ? { ok: true, value: { name: file, bytes: read.value } } : refused('missing', read.error)
}

/** True for a link. A pull request may contain links to other files, and errors quote lines of a manifest. */
function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    // Reading the file reports the error.
    return false
  }
}

function leadsOut(file: string): boolean {
  return existsSync(file) && !isBelow(manifestRoot(dirname(file)), realpathSync(file))
}

interface ReadingLimits {
  readonly maxBytes: number
  /** False if a pipe must stay unread, because it can be read only once. */
  readonly pipes?: boolean
  /** False if a link is an error. */
  readonly follows?: boolean
}

/**
 * Reads a file that a user named, up to one byte more than the limit. Rejects anything but regular files and pipes: a
 * device may have no end, and a kernel file such as /proc/kmsg waits for its next line.
 */
export function readLimited(
  file: string,
  { maxBytes, pipes = true, follows = true }: ReadingLimits,
): Result<Buffer, NamedFileDefect> {
  try {
    // Opened only once: closing a pipe and opening it again would lose its writer.
    if (pipes && statSync(file).isFIFO())
      return { ok: true, value: readAtMost(openSync(file, 'r'), maxBytes) }
    // Windows has neither.
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
    const descriptor = openSync(file, O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW))
    const stats = fstatSync(descriptor)
    if (stats.isFile()) return { ok: true, value: readAtMost(descriptor, maxBytes) }
    closeSync(descriptor)
    return { ok: false, error: { kind: stats.isDirectory() ? 'folder' : 'not-a-regular-file' } }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return { ok: false, error: defects[code] ?? { kind: 'read-failed', errno: code } }
  }
}

function readAtMost(descriptor: number, maxBytes: number): Buffer {
  room ??= Buffer.allocUnsafe(yamlLimits.bytes + 1)
  try {
    const pieces: Buffer[] = []
    for (let left = maxBytes + 1, read = 1; read > 0 && left > 0; left -= read) {
      read = readSync(descriptor, room, 0, Math.min(room.byteLength, left), null)
      // Not from Node's pool: a slice would keep the whole pool in memory.
      const piece = Buffer.allocUnsafeSlow(read)
      room.copy(piece, 0, 0, read)
      if (read > 0) pieces.push(piece)
    }
    const [only] = pieces
    return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces)
  } finally {
    closeSync(descriptor)
  }
}

/** The buffer that all reads share: allocating thousands of large buffers would burden the garbage collector. */
let room: Buffer | undefined

const defects: Readonly<Record<string, NamedFileDefect>> = {
  ENOENT: { kind: 'missing' },
  ENOTDIR: { kind: 'missing' },
  EISDIR: { kind: 'folder' },
  EACCES: { kind: 'not-readable' },
  EAGAIN: { kind: 'not-a-regular-file' },
  ENXIO: { kind: 'not-a-regular-file' },
}

/** Reads a file that another file names relative to its own folder, as `extends` does, within the root of the manifest. */
export async function readBeside(file: string, path: string): Promise<Result<Source, NamedFileDefect>> {
  if (isAbsolute(path)) return { ok: false, error: { kind: 'absolute-path' } }
  const folder = realpathSync(dirname(file))
  const root = manifestRoot(folder)
  const wanted = resolve(folder, path)
  if (!isBelow(root, wanted)) return { ok: false, error: { kind: 'outside-repository' } }
  const reply = await readJailed(root, relative(root, wanted), yamlLimits.bytes)
  if (reply.kind === 'read')
    return {
      ok: true,
      value: { name: selectFileName(join(dirname(file), path), realpathSync(wanted)), bytes: reply.bytes },
    }
  return { ok: false, error: reply.kind === 'missing' ? reply : reply.defect }
}

/**
 * Finds the root folder of a manifest, which contains everything that it builds on: the nearest folder with `.git`;
 * without one, the working folder if the manifest is below it, else the folder of the manifest.
 */
export function manifestRoot(folder: string): string {
  const own = realpathSync(folder)
  const repository = nearestWithGit(own)
  if (repository !== undefined) return repository
  const working = realpathSync('.')
  return isBelow(working, own) ? working : own
}

/** True for the folder itself and everything below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}

function nearestWithGit(folder: string): string | undefined {
  try {
    if (existsSync(join(folder, '.git'))) return folder
  } catch {
    // An inaccessible folder ends the search.
    return undefined
  }
  return dirname(folder) === folder ? undefined : nearestWithGit(dirname(folder))
}

/** Returns the written path of a file, or its real path if the written one leads to another file, as `..` after a link may. */
export function selectFileName(onPaper: string, real: string): string {
  if (existsSync(onPaper) && realpathSync(onPaper) === real) return onPaper
  return isAbsolute(onPaper) ? real : relative(realpathSync('.'), real)
}
