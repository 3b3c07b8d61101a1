import { closeSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Source } from '../manifest/source.js'
import { caps } from '../manifest/yaml-limits.js'
import type { Result } from '../result.js'
import { isBelow, manifestRoot } from './manifest-root.js'

/** Why a file cannot be used; `problem` ends a sentence that begins with the file. */
export interface FileProblem {
  readonly kind: 'file'
  readonly what: 'manifest' | 'scenario' | 'policy' | 'property file' | 'test'
  readonly file: string
  readonly because: 'missing' | 'not-allowed'
  readonly problem: string
}

export type NamedFile = Result<Source, FileProblem>

/** Reads a file that a person or a program named. */
export function readNamed(file: string, what: FileProblem['what']): NamedFile {
  const refused = (because: FileProblem['because'], problem: string): NamedFile => ({
    ok: false,
    error: { kind: 'file', what, file, because, problem },
  })
  try {
    // Lines of a manifest with a mistake are shown: a link in a pull request must not lead to other files.
    if (leadsOut(file)) return refused('not-allowed', 'is a link that leads out of its repository')
    return { ok: true, value: { name: file, bytes: readStart(file) } }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown cause'
    return refused('missing', problemsOf(what)[code] ?? `cannot be read (${code})`)
  }
}

function leadsOut(file: string): boolean {
  return lstatSync(file).isSymbolicLink() && !isBelow(manifestRoot(dirname(file)), realpathSync(file))
}

/** As much of a file as tells that it is too large, so that no device is read for ever. */
function readStart(file: string): Uint8Array {
  room ??= Buffer.allocUnsafe(caps.bytes + 1)
  const descriptor = openSync(file, 'r')
  try {
    let filled = 0
    while (filled < room.byteLength) {
      const length = readSync(descriptor, room, filled, room.byteLength - filled, null)
      if (length === 0) break
      filled += length
    }
    return Buffer.from(room.subarray(0, filled))
  } finally {
    closeSync(descriptor)
  }
}

/** One for all files: thousands of large ones would keep the collector busy. */
let room: Buffer | undefined

function problemsOf(what: string): Readonly<Record<string, string>> {
  return {
    ENOENT: 'does not exist',
    ENOTDIR: 'does not exist',
    EISDIR: `is a folder; name the ${what} in it`,
    EACCES: 'may not be read',
  }
}
