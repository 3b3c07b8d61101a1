import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { ExitCode } from '../../report/exit-code.js'
import { endStateByExitCode, exitCodes } from '../../report/exit-code.js'
import type { SiteResult } from '../../report/sites.js'
import type { Paint } from '../../report/terminal.js'
import type { Host } from '../host.js'
import { notify, type StopSignal, stopSignal } from '../terminal/interaction.js'
import {
  type ColorChoice,
  emit,
  type Failure,
  jsonText,
  paintFor,
  sayFailure,
  tellFiles,
} from '../terminal/output.js'
import type { CommandContext, Openable, OpenResult } from '../with-opened.js'
import { withSite } from './open-session.js'
import type { SitesArguments } from './open-sites.js'
import type { ApplyArguments } from './session.js'
import { type CiResult, tellCi } from './tell-ci.js'

/** The presentation of a report. */
export interface ReportView {
  readonly paint: Paint
  readonly toFile: boolean
}

/** The result of a command for one site, before anything is printed on stdout or written to a file. */
export interface Done<F extends string = string> extends Omit<SiteResult, 'site' | 'file' | 'url'> {
  readonly warnings?: readonly Diagnostic[]
  /** Formats the report in any other format. */
  format?(format: Exclude<F, 'json'>, view: ReportView): string
  /** Writes files in addition to the reports. Returns false, and prints the reason, if one cannot be written. */
  save?(): Promise<boolean>
  /** Lines for stderr after the report. */
  readonly notes?: readonly string[]
  /** The result for later steps of a CI job. */
  readonly ci?: CiResult
  /** The text of the desktop notification. */
  readonly notice?: string
}

/** The context of the work for one site. */
export interface WorkContext {
  /** A host that labels each line if there are several sites. */
  readonly host: Host
  /** The host of the whole process. */
  readonly process: Host
  readonly stop: Pick<StopSignal, 'signal' | 'exitCode'>
  readonly file: string
  /** The label of one of several sites; absent if there is only one. */
  readonly site?: string
  /** True if there are more sites than a person can follow: only starts, waits and warnings are printed. */
  readonly isBrief?: boolean
}

/** A command that does the same work for one site or for each of many. */
export interface SiteCommand<A, S extends Openable, F extends string> {
  readonly formats: readonly F[]
  /** True if an interrupt ends the work gracefully; otherwise it ends the process. */
  readonly listens?: boolean
  open(argv: A & { readonly file: string }, host: Host): Promise<OpenResult<S>>
  work(session: S, context: WorkContext): Promise<Done<F>>
}

/** Builds the result of work that failed before it had anything to report. */
export function failed(failure: Failure, warnings: readonly Diagnostic[] = []): Done<never> {
  const { exitCode, message } = failure
  return { exitCode, group: endStateByExitCode[exitCode], summary: message, failure, warnings }
}

/** The values of the options of a command that reports about sites. */
export type SiteCommandArguments = SitesArguments & Partial<Pick<ApplyArguments, 'notify' | 'concurrency'>>

/** Runs a command for the one site of a manifest, and reports the result. */
export function runForSite<A extends SiteCommandArguments, S extends Openable, F extends string>(
  argv: A & { readonly file: string },
  host: Host,
  command: SiteCommand<A, S, F>,
): Promise<ExitCode> {
  const { formats, open, work, listens = false } = command
  return withSite(argv, host, {
    formats,
    open: () => open(argv, host),
    async work(context) {
      const stop = listens ? stopSignal(host) : neverStopped
      try {
        return await report(
          await work(context.session, { host, process: host, stop, file: argv.file }),
          context,
          { argv, host },
        )
      } finally {
        stop.forget()
      }
    },
  })
}

/** A signal that never aborts: an interrupt ends the process. */
export const neverStopped: StopSignal = {
  signal: new AbortController().signal,
  exitCode: () => exitCodes.interrupted,
  forget: () => undefined,
}

/** Prints the result of one site, writes its files, and reports it to the CI system. */
async function report<F extends string>(
  done: Done<F>,
  { targets, warn, refuse }: CommandContext<Openable, F>,
  { argv, host }: { readonly argv: SiteCommandArguments; readonly host: Host },
): Promise<ExitCode> {
  const { color } = argv
  warn(done.warnings ?? [])
  if (argv.notify && done.notice !== undefined) notify(host, done.notice)
  if (done.failure !== undefined && done.document === undefined) return refuse(done.failure)
  const written = await emit(host, targets, (format, toFile) => formatDone(done, format, { color, toFile }))
  if (written && !argv.quiet) tellFiles(host, targets)
  const saved = (await done.save?.()) ?? true
  for (const note of done.notes ?? []) host.stderr.print(note)
  const exitCode = written && saved ? done.exitCode : exitCodes.state
  if (done.ci !== undefined) await tellCi(host, done.ci, exitCode)
  if (done.failure !== undefined && written && saved) sayFailure(host, done.failure, color)
  return exitCode
}

/** Formats the result of one site. */
export function formatDone<F extends string>(
  { document, format }: Done<F>,
  name: F,
  { color, toFile }: { readonly color: ColorChoice; readonly toFile: boolean },
): string {
  if (name === 'json') return jsonText(document)
  const paint = paintFor('stdout', toFile ? 'never' : color)
  return format?.(name as Exclude<F, 'json'>, { paint, toFile }) ?? ''
}
