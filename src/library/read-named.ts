import { closeSync, constants, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FileDefect } from '../diagnostics/reference-defect.js'
import type { Source } from '../manifest/source.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import type { Result } from '../result.js'
import { isBelow, manifestRoot } from './manifest-root.js'

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
 * Opens a file. Errors quote lines of a manifest, so a link in a pull request must not lead to other files: `undefined`
 * for one that does. Most files are no links, and then opening them is all there is to do.
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
  // A buffer of its own: a slice of Node's pool would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(read.byteLength)
  read.copy(bytes)
  return bytes
}

/** Reads at most one byte more than the limit, so that a device does not read for ever. */
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
