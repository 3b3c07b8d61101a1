import { display } from '../display.js'
import { formatNext } from '../next-steps.js'

/** The codes of the system that need words. */
const facts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the file system is read-only',
}

const again = 'then run the same command again'

/** Formats the error that a file asked for could not be written: why, and what to do. */
export function formatWriteFailure(what: 'plan' | 'report', file: string, code = 'unknown cause'): string {
  const fact = Object.hasOwn(facts, code) ? `${facts[code]} (${code})` : code
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const next = isFull
    ? `free some space, or name a file on another disk; ${again}`
    : `make it writable, or name another file; ${again}`
  return `error: could not write the ${what} ${display(file)}: ${fact}\n${formatNext(next)}`
}
