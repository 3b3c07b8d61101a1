import { closeSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Source } from '../manifest/source.js'
import { caps } from '../manifest/yaml-limits.js'
import { display } from '../report/display.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { isBelow, manifestRoot } from './manifest-root.js'
import type { Failure } from './output.js'

export type SourceReply =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly failure: Failure }

/** What messages call standard input and the file. */
interface Reading {
  readonly stdinName?: string | undefined
  readonly what?: 'manifest' | 'scenario' | 'policy'
}

/** Unless it has a name. */
const standardInput = '<stdin>'

/** Reads a file that the user named on the command line. */
export async function readSource(
  host: Host,
  file: string,
  { stdinName = standardInput, what = 'manifest' }: Reading = {},
): Promise<SourceReply> {
  if (file === '-') return { ok: true, source: { name: stdinName, bytes: await host.readInput() } }
  const refused = (exitCode: ExitCode, problem: string): SourceReply => ({
    ok: false,
    failure: { exitCode, message: `the ${what} ${display(file)} ${problem}` },
  })
  try {
    // Lines of a manifest with a mistake are shown: a link in a pull request must not lead to other files.
    if (leadsOut(file)) return refused(exitCodes.invalid, 'is a link that leads out of its repository')
    return { ok: true, source: { name: file, bytes: readStart(file) } }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown cause'
    return refused(exitCodes.missing, problemsOf(what)[code] ?? `cannot be read (${code})`)
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
