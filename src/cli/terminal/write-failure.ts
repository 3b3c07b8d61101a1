import { display } from '../../report/display.js'
import { formatNext } from '../../report/next-steps.js'
import type { Host } from '../host.js'

/** Says on stderr that a file asked for could not be written, why, and what to do. */
export function reportWriteFailure(
  { stderr }: Pick<Host, 'stderr'>,
  what: 'plan' | 'report',
  { file, code = 'unknown cause' }: { readonly file: string; readonly code?: string | undefined },
): void {
  const fact = Object.hasOwn(facts, code) ? `${facts[code]} (${code})` : code
  stderr.write(`error: could not write the ${what} ${display(file)}: ${fact}\n`)
  stderr.write(
    formatNext(
      isFull(code) ? freeSpace : 'make it writable, or name another file; then run the same command again',
    ),
  )
}

/** The codes of a system that need words. */
const facts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
}

function isFull(code: string): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT'
}

const freeSpace = 'free some space, or name a file on another disk; then run the same command again'
