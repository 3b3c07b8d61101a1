import { closeSync, constants, existsSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
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

/** Reads a file that a person or a program named. */
export function readNamed(file: string, what: FileProblem['what']): NamedFile {
  const refused = (because: FileProblem['because'], defect: NamedFileDefect): NamedFile => ({
    ok: false,
    error: { kind: 'file', what, file, because, defect },
  })
  try {
    const descriptor = openInside(file)
    if (descriptor === undefined) return refused('not-allowed', { kind: 'link-outside-repository' })
    return { ok: true, value: { name: file, bytes: readStart(descriptor) } }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return refused('missing', defects[code] ?? { kind: 'read-failed', errno: code })
  }
}

/**
 * Opens a file; `undefined` if it is a link that leads out of the repository, because errors quote lines of a manifest and
 * the link may come from a pull request. A file that is no link is only opened.
 */
function openInside(file: string): number | undefined {
  try {
    // Windows cannot refuse links.
    if (constants.O_NOFOLLOW !== undefined) return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error
  }
  return leadsOut(file) ? undefined : openSync(file, 'r')
}

function leadsOut(file: string): boolean {
  return lstatSync(file).isSymbolicLink() && !isBelow(manifestRoot(dirname(file)), realpathSync(file))
}

function readStart(descriptor: number): Uint8Array {
  const read = readIntoRoom(descriptor)
  // Not from Node's pool, because a slice would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(read.byteLength)
  read.copy(bytes)
  return bytes
}

/** Reads at most one byte more than the limit, because a device may have no end. */
function readIntoRoom(descriptor: number): Buffer {
  room ??= Buffer.allocUnsafe(yamlLimits.bytes + 1)
  try {
    let filled = 0
    while (filled < room.byteLength) {
      const length = readSync(descriptor, room, filled, room.byteLength - filled, null)
      if (length === 0) break
      filled += length
    }
    return room.subarray(0, filled)
  } finally {
    closeSync(descriptor)
  }
}

/** The buffer that all files share: thousands of large buffers would keep the garbage collector busy. */
let room: Buffer | undefined

const defects: Readonly<Record<string, NamedFileDefect>> = {
  ENOENT: { kind: 'missing' },
  ENOTDIR: { kind: 'missing' },
  EISDIR: { kind: 'folder' },
  EACCES: { kind: 'not-readable' },
}

/** A file that another file names, or the reason why it cannot be used. */
export type BesideReply = Result<Source, NamedFileDefect>

/** Reads a file that another names by a path from its own folder, as `extends` does: within the root of manifests. */
export async function readBeside(file: string, path: string): Promise<BesideReply> {
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
 * Finds the root folder of a manifest, which holds everything that it builds on: the repository that it is in, which is
 * the nearest folder with `.git`; without one, the working folder if the manifest is below it, else the folder of the
 * manifest.
 */
export function manifestRoot(folder: string): string {
  const own = realpathSync(folder)
  const repository = nearestWithGit(own)
  if (repository !== undefined) return repository
  const working = realpathSync('.')
  return isBelow(working, own) ? working : own
}

/** True for the folder itself and for everything in it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}

function nearestWithGit(folder: string): string | undefined {
  try {
    if (existsSync(join(folder, '.git'))) return folder
  } catch {
    // Without access to a folder, the search ends below it.
    return undefined
  }
  return dirname(folder) === folder ? undefined : nearestWithGit(dirname(folder))
}

/** Names a file by its written path, or by its real path if `..` after a link leads to another file. */
export function selectFileName(onPaper: string, real: string): string {
  if (existsSync(onPaper) && realpathSync(onPaper) === real) return onPaper
  return isAbsolute(onPaper) ? real : relative(realpathSync('.'), real)
}
