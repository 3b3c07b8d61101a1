import {
  computeDrift,
  countReportedCoverage,
  type Drift,
  driftDocument,
  type Incomparable,
} from '../../plan/drift/drift.js'
import { isUncompared } from '../../plan/plan.js'
import { type DriftView, formatDrift, formatDriftMarkdown } from '../../report/drift.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import type { NextCommands } from '../../report/outcomes.js'
import type { ArgumentsOf } from '../command.js'
import { type DriftFormat, driftFormats } from '../declarations/options.js'
import type { drift as declaration } from '../declarations/sites.js'
import type { Host } from '../host.js'
import { summarizeForGitHub } from '../plan/plan-output.js'
import { toComparisonFailure } from '../site/failures.js'
import { sessionWith } from '../site/open-session.js'
import { collectSituation } from '../site/read-site.js'
import { printAdoption } from '../site/suggest-adoption.js'
import { emit, type Failure, jsonText, paintFor } from '../terminal/output.js'

/** Compares each field with the site. Sends GET alone, and what signing in takes. */
export function drift(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const least = parsePercent(argv['min-coverage'])
  return sessionWith(driftFormats)(argv, host, async ({ session, targets, refuse, warn }) => {
    const collected = await collectSituation(session, host)
    if (!collected.ok) return refuse(collected.error)
    const compared = computeDrift(collected.value)
    const diagnostics = [...session.warnings, ...compared.diagnostics]
    if (!compared.ok) return refuse({ ...explainIncomparable(compared.error, session.commands), diagnostics })
    warn(diagnostics)
    const written = await emit(host, targets, (format, toFile) =>
      driftReports[format](compared.value, {
        paint: paintFor('stdout', toFile ? 'never' : argv.color),
        verbose: argv.verbose,
      }),
    )
    if (isUncompared(compared.value.fields)) printAdoption(session, argv, host)
    const { different, percent } = countReportedCoverage(compared.value)
    if (percent < least)
      host.stderr.print(
        `error: coverage is ${percent} %, below --min-coverage ${least}: too few fields are readable on the site\n`,
      )
    const ifEqual = percent < least ? exitCodes.refused : exitCodes.done
    const exitCode = !written ? exitCodes.state : different > 0 ? exitCodes.changes : ifEqual
    const markdown = formatDriftMarkdown(compared.value)
    await summarizeForGitHub(host, { markdown, changes: different > 0, exitCode })
    return exitCode
  })
}

/** The formats of a drift. */
const driftReports = {
  text: formatDrift,
  json: drift => jsonText(driftDocument(drift)),
  markdown: formatDriftMarkdown,
} as const satisfies Readonly<Record<DriftFormat, (drift: Drift, view: DriftView) => string>>

function parsePercent(text = '0'): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100)
    throw new UsageError('--min-coverage must be a whole number from 0 to 100')
  return Number(text)
}

/** Explains why there is nothing to compare, and names the next command. */
function explainIncomparable(because: Incomparable, commands: NextCommands): Failure {
  const { apply, status } = commands
  switch (because.kind) {
    case 'not-configured':
      return {
        exitCode: exitCodes.stale,
        message: 'nothing to compare yet: the site is not configured',
        next: apply,
      }
    case 'in-progress':
      return {
        exitCode: exitCodes.inProgress,
        message: 'nothing to compare yet: the configuration is under way',
        next: `${status} --wait`,
      }
    default:
      return toComparisonFailure(because, commands)
  }
}
