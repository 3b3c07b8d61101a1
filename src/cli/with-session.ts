import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { formatDiagnostics } from '../report/diagnostics-text.js'
import type { ExitCode } from './exit-code.js'
import type { Host } from './host.js'
import { commonOptions, formatOption, parseTargets, siteOptions, type Target } from './options.js'
import { type ColorChoice, checkReports, type Failure, fail, paintFor } from './output.js'
import { scenarioOption } from './scenario-option.js'
import { openSession, type Session, type SiteArguments } from './session.js'

/** The formats of every command about a site. */
const formats = ['text', 'json'] as const
export type SiteFormat = (typeof formats)[number]

/** The word that every command about a site has. */
export const manifestArgument = { name: 'file', describe: 'Manifest; - is standard input' } as const

/** The options that every command about a site has. */
export const manifestOptions = {
  ...siteOptions,
  ...scenarioOption,
  ...formatOption(formats),
  ...commonOptions,
} as const

/** What a command about a site works with. */
export interface Desk {
  readonly session: Session
  readonly targets: readonly Target<SiteFormat>[]
  /** Says why the command cannot go on, and answers with the exit code. */
  refuse(failure: Failure): Promise<ExitCode>
  /** Shows warnings on stderr. */
  warn(diagnostics: readonly Diagnostic[]): void
}

type Arguments = SiteArguments & {
  readonly format: readonly string[]
  readonly color: ColorChoice
  /** Another file that the command writes. */
  readonly events?: string | undefined
}

/** Opens the site that the options name, lets the command work, and closes it whatever happens. */
export async function withSession(
  argv: Arguments,
  host: Host,
  work: (desk: Desk) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { color } = argv
  const targets = parseTargets(argv.format, formats)
  await checkReports([...targets.map(({ file }) => file), argv.events], [argv.file])
  const opened = await openSession(argv, host)
  if (!opened.ok) return fail(host, opened.failure, { targets, color, linesOf: opened.linesOf })
  const { session } = opened
  try {
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
