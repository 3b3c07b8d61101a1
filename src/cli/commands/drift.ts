import {
  computeDrift,
  countReportedCoverage,
  driftDocument,
  type Incomparable,
} from '../../plan/drift/drift.js'
import {
  formatDrift,
  formatDriftHeadline,
  formatDriftMarkdown,
  formatDriftSection,
} from '../../report/drift.js'
import { endOfBlocker } from '../../report/endings/blockers.js'
import type { NextCommands } from '../../report/endings/ending.js'
import { buildFailure } from '../../report/endings/ending.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { describeUnrecorded, suggestRecord } from '../../report/plan-words.js'
import { formatNext } from '../../report/terminal.js'
import { chooseFiles } from '../check/expand-files.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import {
  concurrencyOption,
  driftFormats,
  formatOption,
  manifestOptions,
  manifestsArgument,
  namesSkipped,
} from '../command-options.js'
import type { Host } from '../host.js'
import { runForSites } from '../site/many-sites.js'
import { openSession } from '../site/open-session.js'
import { collectSituation } from '../site/read-site.js'
import type { SiteSession } from '../site/session.js'
import { failed, runForSite, type SiteCommand } from '../site/site-command.js'
import type { Failure } from '../terminal/output.js'

const declaration = declare({
  name: 'drift',
  describe: 'Compare every field with one or more sites; read-only',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    ...concurrencyOption,
    'min-coverage': text(
      'PERCENT',
      'Exit with 78 if fewer than this percentage of the fields are readable on the site',
    ),
    verbose: flag(`List every field, print how the site is reached, and ${namesSkipped}`, 'v'),
    ...manifestOptions,
    ...formatOption(driftFormats),
  },
  examples: [
    ['drift site.yaml', 'see the fields that differ or cannot be verified'],
    ['drift site.yaml --format json', 'for a scheduled job: it exits with 2 if something differs'],
    ['drift sites', 'compare each site in a folder'],
  ],
})

/** Compares each field with the site, for one site or many. Sends only GET requests and the sign-in request. */
async function drift({ files, ...argv }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const chosen = await chooseFiles(files, argv.concurrency !== undefined)
  const command = compareSite(argv, parsePercent(argv['min-coverage']))
  if (chosen.kind === 'one') return runForSite({ ...argv, file: chosen.file }, host, command)
  const view = { kind: 'drift', column: 'exit', showsEach: true } as const
  return runForSites(argv, host, command, { chosen, view })
}

type Arguments = Omit<ArgumentsOf<typeof declaration>, 'files'>

function compareSite(
  argv: Arguments,
  least: number,
): SiteCommand<Arguments, SiteSession, (typeof driftFormats)[number]> {
  return {
    formats: driftFormats,
    open: openSession,
    async work(session, { host }) {
      const collected = await collectSituation(session, host)
      if (!collected.ok) return failed(collected.error)
      const compared = computeDrift(collected.value)
      const warnings = [...session.warnings, ...compared.diagnostics]
      if (!compared.ok)
        return failed({ ...explainIncomparable(compared.error, session.commands), diagnostics: warnings })
      const { value } = compared
      const { verbose, quiet, emulate } = argv
      const showsNext = !quiet && !emulate
      const coverage = countReportedCoverage(value)
      const { different, percent } = coverage
      const unrecorded = coverage.unrecorded > 0 ? [describeUnrecorded(coverage)] : []
      const isTooLow = percent < least
      const ifEqual = isTooLow ? exitCodes.refused : exitCodes.done
      const tooLow = `coverage is ${percent} %, below --min-coverage ${least}: too few fields are readable on the site`
      return {
        exitCode: different > 0 ? exitCodes.changes : ifEqual,
        group: different > 0 ? 'with differences' : isTooLow ? 'refused' : 'without differences',
        summary:
          isTooLow && different === 0 ? tooLow : [...unrecorded, formatDriftHeadline(coverage)].join('; '),
        warnings,
        document: driftDocument(value),
        format: (format, { paint }) =>
          format === 'text' ? formatDrift(value, { paint, verbose }) : formatDriftMarkdown(value),
        ...(different > 0 && { section: () => formatDriftSection(value) }),
        notes: [
          ...(unrecorded.length > 0 && showsNext ? [formatNext(suggestRecord(session.commands.adopt))] : []),
          ...(different > 0 && showsNext
            ? [formatNext([`see the differences and the next steps: \`${session.commands.plan}\``])]
            : []),
          ...(isTooLow ? [`error: ${tooLow}\n`] : []),
        ],
        ci: { changes: different > 0, markdown: () => formatDriftMarkdown(value) },
      }
    },
  }
}

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
        next: [apply],
      }
    case 'in-progress':
      return {
        exitCode: exitCodes.inProgress,
        message: 'nothing to compare yet: the configuration is under way',
        next: [`${status} --wait`],
      }
    default:
      return buildFailure(endOfBlocker({ ...because, done: 'compared' }), commands)
  }
}

export const command = pair(declaration, drift)
