import { closeSync, openSync, readSync } from 'node:fs'
import type { Source } from '../manifest/source.js'
import { caps } from '../manifest/yaml-limits.js'
import type { Host } from './host.js'

export type SourceReply =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problem: string }

/** What messages call standard input. */
const standardInput = '<stdin>'

/** Reads a file that the user named on the command line. */
export async function readSource(
  host: Host,
  file: string,
  stdinName: string = standardInput,
): Promise<SourceReply> {
  if (file === '-') return { ok: true, source: { name: stdinName, bytes: await host.readInput() } }
  try {
    return { ok: true, source: { name: file, bytes: readStart(file) } }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return { ok: false, problem: problems[code ?? ''] ?? `cannot be read (${code ?? 'unknown cause'})` }
  }
}

/** As much of a file as tells that it is too large, so that no device is read for ever. */
function readStart(file: string): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const chunks: Buffer[] = []
    let left = caps.bytes + 1
    while (left > 0) {
      const chunk = Buffer.allocUnsafe(Math.min(left, 64 * 1024))
      const length = readSync(descriptor, chunk)
      if (length === 0) break
      chunks.push(chunk.subarray(0, length))
      left -= length
    }
    return Buffer.concat(chunks)
  } finally {
    closeSync(descriptor)
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder; name the manifest in it',
  EACCES: 'may not be read',
}
