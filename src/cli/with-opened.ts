import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { type ExitCode, exitCodes } from '../report/exit-code.js'
import { describeFileFailure } from '../report/file-problem.js'
import { formatDiagnostics, type ReadLines } from '../report/findings-text.js'
import type { Paint } from '../report/terminal.js'
import type { Result } from '../result.js'
import type { Arguments } from './command.js'
import type { manifestOptions } from './command-options.js'
import type { Host } from './host.js'
import { parseTargets, type ReportTarget } from './options.js'
import {
  checkReportPaths,
  checkReports,
  emit,
  type Failure,
  fail,
  type OpenFailure,
  paintFor,
} from './terminal/output.js'

/** The common members of everything that a command can work on: a site, several sites, or checked files. */
export interface Openable {
  /** The files that were read, except those on the command line. */
  readonly inputs?: readonly string[]
  readonly readLines?: ReadLines
  close?(): Promise<void>
}

export type OpenResult<S> = Result<S, OpenFailure>

/** The context of a command once its site, sites or files are open. */
export interface CommandContext<S, F extends string> {
  readonly session: S
  readonly targets: readonly ReportTarget<F>[]
  /** Prints why the command cannot continue, before it sent anything, and returns the exit code. */
  refuse(failure: Failure): Promise<ExitCode>
  /** Shows warnings on stderr. */
  warn(diagnostics: readonly Diagnostic[]): void
  /** Writes the reports. Returns the exit code: success, or that one could not be written. */
  report(render: (format: F, paint: Paint) => string): Promise<ExitCode>
}

/** The work of a command, with the files around it. */
export interface CommandWork<S, F extends string> {
  readonly formats: readonly F[]
  /** The files on the command line: those to read, and those to write in addition to the reports. */
  readonly reads: readonly (string | undefined)[]
  readonly writes?: readonly (string | undefined)[]
  /** Files that the command replaces only on request; they are not removed before. */
  readonly replaces?: readonly (string | undefined)[]
  open(): Promise<OpenResult<S>>
  work(context: CommandContext<S, F>): Promise<ExitCode>
}

/** Opens what a command works on, runs the command, and closes it. Never replaces an input with a report. */
export async function withOpened<S extends Openable, F extends string>(
  { format, color }: Pick<Arguments<typeof manifestOptions>, 'format' | 'color'>,
  host: Host,
  { formats, reads, writes = [], replaces = [], open, work }: CommandWork<S, F>,
): Promise<ExitCode> {
  const targets = parseTargets(format, formats)
  const inputs = reads.flatMap(file => file ?? [])
  const outputs = [...targets.map(({ file }) => file), ...writes]
  await checkReportPaths(outputs, inputs, replaces)
  const opened = await open().catch(error => {
    const failure = describeFileFailure(error)
    if (failure === undefined) throw error
    return { ok: false, error: { failure } as OpenFailure } as const
  })
  if (!opened.ok) {
    const { failure, readLines, inputs: read = [] } = opened.error
    await checkReports(outputs, [...inputs, ...read])
    return fail(host, failure, { targets, color, readLines, sent: 'nothing' })
  }
  const { value: session } = opened
  const { readLines = () => undefined } = session
  try {
    // Only now are all inputs known: a report must not replace a base of a manifest.
    await checkReports(outputs, [...inputs, ...(session.inputs ?? [])], replaces)
    return await work({
      session,
      targets,
      refuse: failure => fail(host, failure, { targets, color, readLines, sent: 'nothing' }),
      warn(diagnostics) {
        if (diagnostics.length === 0) return
        const view = { readLines, paint: paintFor('stderr', color) }
        host.stderr.print(`${formatDiagnostics(diagnostics, view)}\n`)
      },
      async report(render) {
        const written = await emit(host, targets, (format, toFile) =>
          render(format, paintFor('stdout', toFile ? 'never' : color)),
        )
        return written ? exitCodes.done : exitCodes.state
      },
    })
  } catch (error) {
    const failure = describeFileFailure(error)
    if (failure === undefined) throw error
    return fail(host, failure, { targets, color, readLines })
  } finally {
    await session.close?.()
  }
}
