import { access, constants, open, realpath, rm, stat, truncate } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { policyFileNames } from '../../policy/policy.js'
import { type CommandFailure, failureDocument } from '../../report/command-failure.js'
import { display, displayJson } from '../../report/display.js'
import { type ExitCode, UsageError } from '../../report/exit-code.js'
import {
  describeWriteFailure,
  formatFileFailure,
  isWriteError,
  toWriteError,
} from '../../report/file-problem.js'
import { formatDiagnostics, type ReadLines } from '../../report/findings-text.js'
import { formatSentence } from '../../report/phrase.js'
import { addSent, type Sent } from '../../report/sent.js'
import { shellWord } from '../../report/shell-word.js'
import { coloured, formatNext, type Paint, plain, wrapLines } from '../../report/terminal.js'
import type { Host } from '../host.js'
import type { ReportTarget } from '../options.js'
import { isTerminal } from './process-output.js'
import { writeWhole } from './write-file.js'

export type ColorChoice = 'auto' | 'always' | 'never'

/** Chooses whether to colour a stream: as the user says, else by NO_COLOR, FORCE_COLOR and TERM (see no-color.org). */
export function paintFor(stream: 'stdout' | 'stderr', choice: ColorChoice): Paint {
  // Asking the stream itself initializes it, which takes longer than a whole check.
  const mayBe = isTerminal(stream === 'stdout' ? 1 : 2) || process.env['FORCE_COLOR'] !== undefined
  const wanted = choice === 'always' || (choice === 'auto' && mayBe && hasColors(process.env))
  return wanted ? coloured : plain
}

/** Tests whether the environment allows colours on a terminal. An empty NO_COLOR counts as not set, unlike in Node. */
export function hasColors({ NO_COLOR: noColor, ...others }: Host['environment']): boolean {
  const environment = noColor ? { ...others, NO_COLOR: noColor } : others
  // Loading `node:tty` takes longer than a whole check, and only a terminal needs it.
  return process.getBuiltinModule('node:tty').WriteStream.prototype.getColorDepth(environment) > 1
}

/** Writes each requested report to its target. Returns false, and prints an error, if one could not be written. */
export async function emit<F extends string>(
  host: Host,
  targets: readonly ReportTarget<F>[],
  render: (format: F, toFile: boolean) => string,
): Promise<boolean> {
  let written = true
  for (const { format, file } of targets) {
    const text = render(format, file !== undefined)
    const isForPeople = format === 'text'
    if (file === undefined) {
      host.stdout[isForPeople ? 'print' : 'write'](text)
      continue
    }
    const content = isForPeople ? wrapLines(text) : text
    if (await tryToWrite(host, () => writeWhole(file, { content }))) continue
    written = false
    await removeFile(file)
  }
  return written
}

/** Prints the names of the report files if no report goes to stdout, so that the terminal shows the result of the run. */
export function tellFiles({ stderr }: Pick<Host, 'stderr'>, targets: readonly ReportTarget<string>[]): void {
  if (targets.some(({ file }) => file === undefined)) return
  for (const { file = '' } of targets) stderr.print(`wrote ${shellWord(file)}\n`)
}

/** Writes files. Returns false, and prints an error, if one cannot be written. */
export async function tryToWrite(host: Host, write: () => void | Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (!isWriteError(error)) throw error
    host.stderr.print(formatFileFailure(describeWriteFailure(error)))
    return false
  }
}

/** The values of options that name files. */
type Paths = readonly (string | undefined)[]

/**
 * Checks the paths as `checkReportPaths` does, and removes the reports of an earlier run, which could be mistaken for
 * the new ones. Needs the complete list of inputs.
 */
export async function checkReports(
  files: Paths,
  inputs: readonly string[],
  replaced: Paths = [],
): Promise<void> {
  await checkReportPaths(files, inputs, replaced)
  for (const file of files) if (file !== undefined) await removeFile(file)
}

/**
 * Checks before any work that every report can be written and that none replaces an input or another report. Creates no
 * folder: a mistyped path is an error. `replaced` are other files that the command will write; they are not changed
 * here.
 */
export async function checkReportPaths(
  files: Paths,
  inputs: readonly string[],
  replaced: Paths = [],
): Promise<void> {
  await refuseClashes([...files, ...replaced], inputs)
  for (const file of files) if (file !== undefined) await checkWritable(file)
}

/** Rejects an output file that is an input, has the name of a policy, or is written twice. Throws a `UsageError`. */
export async function refuseClashes(files: Paths, inputs: readonly string[]): Promise<void> {
  if (files.every(file => file === undefined)) return
  const taken = new Set(await Promise.all(inputs.map(realPath)))
  for (const file of files) {
    if (file === undefined) continue
    const path = await realPath(file)
    // A policy file applies without being named, to this manifest or to the next one.
    if ((policyFileNames as readonly string[]).includes(basename(path)))
      throw new UsageError(`${file} has the name of a policy; name another file`)
    if (taken.has(path))
      throw new UsageError(`${file} is read or written by this command already; name another file`)
    taken.add(path)
  }
}

async function checkWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  const isOpened = found === undefined || found.isFile() || found.isDirectory()
  try {
    // A pipe is opened only once, for writing: its reader takes the first close for the end of the text.
    if (isOpened) await (await open(file, 'a')).close()
    else await access(file, constants.W_OK)
    if (found === undefined) await rm(await realPath(file))
  } catch (error) {
    const wrong = toWriteError(file, error)
    // A mistyped path is an error in the command line.
    if (!['ENOENT', 'EISDIR', 'ENOTDIR'].includes(wrong.code)) throw wrong
    throw new UsageError(describeWriteFailure(wrong).message)
  }
}

/** Removes a report, following links, or empties it if its folder cannot be changed. Devices and pipes stay. */
async function removeFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) return
  const path = await realPath(file)
  await rm(path).catch(() => truncate(path).catch(() => undefined))
}

/** Resolves links; for a missing file, only in the path of its folder. */
async function realPath(file: string): Promise<string> {
  return realpath(file).catch(async () =>
    join(await realpath(dirname(file)).catch(() => dirname(file)), basename(file)),
  )
}

/** Prints texts one by one, so that they are never all in memory. */
export function writeAll(output: Host['stdout'], texts: Iterable<string>): void {
  for (const text of texts) output.print(text)
}

/** Formats a JSON document as text that is safe to print. */
export function jsonText(document: unknown): string {
  return `${displayJson(JSON.stringify(document, null, 2))}\n`
}

export type Failure = CommandFailure

/** The answer to a query, with an exit code that programs can distinguish. It is not a failure. */
export type QueryAnswer = Pick<Failure, 'exitCode' | 'message' | 'next'>

/** Prints the answer of a query: the sentence on stdout, the next steps on stderr. Returns the exit code. */
export function printAnswer(
  host: Host,
  { exitCode, message, next = [] }: QueryAnswer,
  color: ColorChoice,
): ExitCode {
  host.stdout.print(formatSentence(display(message)))
  host.stderr.print(formatNext(next, paintFor('stderr', color)))
  return exitCode
}

/** The failure to open a manifest or a site, with the lines to quote. */
export interface OpenFailure {
  readonly failure: Failure
  readonly readLines?: ReadLines
  /** The files that were read before the failure. */
  readonly inputs?: readonly string[]
}

interface FailureContext {
  /** What the run had sent. Default: `perhaps`. */
  readonly sent?: Sent
  readonly color: ColorChoice
  readonly targets?: readonly ReportTarget<string>[]
  readonly readLines?: ReadLines | undefined
}

/**
 * Prints on stderr why a command failed, and writes the failure to JSON reports, so that programs always get a document.
 * Returns the exit code.
 */
export async function fail(
  host: Host,
  failure: Failure,
  { color, targets = [], readLines = () => undefined, sent = 'perhaps' }: FailureContext,
): Promise<ExitCode> {
  const { diagnostics = [] } = failure
  if (diagnostics.length > 0)
    host.stderr.print(`${formatDiagnostics(diagnostics, { readLines, paint: paintFor('stderr', color) })}\n`)
  const whole = tellSent(host, failure, sent)
  const exitCode = sayFailure(host, whole, color)
  const json = targets.filter(({ format }) => format === 'json')
  await emit(host, json, () => jsonText(failureDocument(whole)))
  return exitCode
}

/** Adds what the run had sent to a failure of a command that sends requests. */
export function tellSent({ saysSent }: Pick<Host, 'saysSent'>, failure: Failure, sent: Sent): Failure {
  return saysSent === true ? { ...failure, sent, message: addSent(failure.message, sent) } : failure
}

/** Prints on stderr why a command failed, without a document. */
export function sayFailure(
  host: Host,
  { exitCode, message, next = [] }: Failure,
  color: ColorChoice,
): ExitCode {
  const paint = paintFor('stderr', color)
  host.stderr.print(`${paint('red', 'error')}: ${display(message)}\n`)
  host.stderr.print(formatNext(next, paint))
  return exitCode
}
