import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { formatDiagnostics, type LinesOf } from '../../report/findings/diagnostics-text.js'
import { type SiteFormat, siteFormats } from '../declarations/options.js'
import type { ExitCode } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseTargets, type Target } from '../options.js'
import {
  type ColorChoice,
  checkReportPaths,
  checkReports,
  type Failure,
  fail,
  paintFor,
} from '../terminal/output.js'
import { type Opened, openSession, type Session, type SiteArguments } from './session.js'

/** What a command about a site works with. */
export interface Desk<S = Session, F extends string = SiteFormat> {
  readonly session: S
  readonly targets: readonly Target<F>[]
  /** Says why the command cannot go on, and answers with the exit code. */
  refuse(failure: Failure): Promise<ExitCode>
  /** Shows warnings on stderr. */
  warn(diagnostics: readonly Diagnostic[]): void
}

interface ReportArguments {
  readonly file?: string | undefined
  /** Other files that the command reads. */
  readonly nodes?: string | undefined
  readonly 'storage-classes'?: string | undefined
  readonly format: readonly string[]
  readonly color: ColorChoice
  /** Other files that the command writes. */
  readonly events?: string | undefined
  readonly out?: string | undefined
  readonly policy?: readonly string[]
}

/** What a desk needs of what it works with. */
interface Openable {
  readonly inputs?: readonly string[]
  readonly linesOf: LinesOf
  close(): Promise<void>
}

/**
 * Opens the site that the options name, lets the command work, and closes it whatever happens; for a command with the
 * given formats.
 */
export function sessionWith<F extends string>(formats: readonly F[]) {
  return (
    argv: SiteArguments & ReportArguments,
    host: Host,
    work: (desk: Desk<Session, F>) => Promise<ExitCode>,
  ): Promise<ExitCode> => atDesk(argv, host, { formats, open: () => openSession(argv, host), work })
}

/** The same for a command with the common formats. */
export const withSession = sessionWith(siteFormats)

interface Shift<S, F extends string> {
  readonly formats: readonly F[]
  open(): Promise<Opened<S>>
  work(desk: Desk<S, F>): Promise<ExitCode>
}

/** The same for whatever can be opened. */
export async function atDesk<S extends Openable, F extends string>(
  argv: ReportArguments,
  host: Host,
  { formats, open, work }: Shift<S, F>,
): Promise<ExitCode> {
  const { color } = argv
  const targets = parseTargets(argv.format, formats)
  const read = [argv.file, argv.nodes, argv['storage-classes']].flatMap(file => file ?? [])
  const inputs = [...read, ...(argv.policy ?? [])]
  const outputs = [...targets.map(({ file }) => file), argv.events, argv.out]
  await checkReportPaths(outputs, inputs)
  const opened = await open()
  if (!opened.ok) await checkReports(outputs, [...inputs, ...(opened.error.inputs ?? [])])
  if (!opened.ok) return fail(host, opened.error.failure, { targets, color, linesOf: opened.error.linesOf })
  const { value: session } = opened
  try {
    await checkReports(outputs, [...inputs, ...(session.inputs ?? [])])
    return await work({
      session,
      targets,
      refuse: failure => fail(host, failure, { targets, color, linesOf: session.linesOf }),
      warn(diagnostics) {
        if (diagnostics.length === 0) return
        const view = { linesOf: session.linesOf, paint: paintFor('stderr', color) }
        host.stderr.write(`${formatDiagnostics(diagnostics, view)}\n`)
      },
    })
  } finally {
    await session.close()
  }
}
