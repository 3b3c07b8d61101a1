import { describeDefect } from '../diagnostics/reference-defect.js'
import type { FileProblem, NamedFileDefect } from '../library/read-files.js'
import { display } from './display.js'
import { exitCodes } from './exit-code.js'
import { formatNext } from './terminal.js'

type NamedWhat = FileProblem['what'] | 'plan' | 'list' | 'key'

/** Describes a file that cannot be used, in one sentence. */
export function describeFileProblem({ what, file, defect }: FileProblem): string {
  return `the ${nameKind(what)} ${display(file)} ${describeNamedFileDefect(defect, what)}`
}

/** Describes the reason, as the end of a sentence that begins with the file. */
export function describeNamedFileDefect(defect: NamedFileDefect, what: NamedWhat): string {
  switch (defect.kind) {
    case 'missing':
      return 'does not exist'
    case 'missing-folder':
      return 'is in a folder that does not exist'
    case 'folder':
      return `is a folder; name the ${nameKind(what)} in it`
    case 'link-outside-repository':
      return 'is a link to a file outside its repository'
    case 'absolute-path':
      return 'is not relative to the folder of this file'
    default:
      return describeDefect(defect)
  }
}

function nameKind(what: NamedWhat): string {
  return what.replace('-', ' ')
}

/** Thrown for a file that could not be written, with the code of the system. The command exits with 74. */
class WriteError extends Error {
  override readonly name = 'WriteError'
  readonly file: string
  readonly code: string
  constructor(file: string, code: string) {
    super(`${file}: ${code}`)
    this.file = file
    this.code = code
  }
}

/** Recognizes a `WriteError` of any bundle: each has its own class. */
export function isWriteError(error: unknown): error is WriteError {
  return (error as Partial<Error> | null | undefined)?.name === 'WriteError'
}

/** Wraps a system error about a file. */
export function toWriteError(file: string, error: unknown): WriteError {
  return new WriteError(file, (error as NodeJS.ErrnoException).code ?? 'unknown cause')
}

/** Descriptions of the most common system codes. */
const facts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOSYS: 'the system rejects this call',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'its folder is a file',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
}

const again = 'then run the same command again'

/** Describes why a file could not be written, and what to do. */
export function describeWriteFailure({ file, code }: WriteError) {
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const next = isFull
    ? `free some space, or name a file on another disk; ${again}`
    : `make it writable, or name another file; ${again}`
  return {
    exitCode: exitCodes.state,
    message: `could not write ${file}: ${describeCode(code)}`,
    next: [next],
  }
}

function describeCode(code: string): string {
  return Object.hasOwn(facts, code) ? `${facts[code]} (${code})` : code
}

/** Describes a `WriteError`, or a rejected system call on a file, as in a sandbox. `undefined` for any other error. */
export function describeFileFailure(error: unknown) {
  if (isWriteError(error)) return describeWriteFailure(error)
  const { code, path, syscall = 'spawn' } = Object(error) as NodeJS.ErrnoException
  if (code === undefined || path === undefined || syscall.startsWith('spawn')) return undefined
  const next = `let this user, or the sandbox that it runs in, read it; ${again}`
  return {
    exitCode: exitCodes.missing,
    message: `could not read ${path}: ${describeCode(code)}`,
    next: [next],
  }
}

/** Formats the description of a file error for printing. */
export function formatFileFailure({
  message,
  next,
}: {
  readonly message: string
  readonly next: readonly string[]
}): string {
  return `error: ${display(message)}\n${formatNext(next)}`
}
