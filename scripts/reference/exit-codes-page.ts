import { endOfAdoption } from '../../src/report/endings/adoption.js'
import { endOfApply, endOfWait } from '../../src/report/endings/apply.js'
import { endOfBlocker } from '../../src/report/endings/blockers.js'
import { endOfClearing } from '../../src/report/endings/cleared.js'
import type { Titled } from '../../src/report/endings/ending.js'
import { endOfMove } from '../../src/report/endings/move.js'
import { endOfDeletion, endOfExport } from '../../src/report/endings/one-shot.js'
import { endOfProblem } from '../../src/report/endings/problems.js'
import { causeOfServiceKind } from '../../src/report/endings/service.js'
import { causeOfStateKind } from '../../src/report/endings/state.js'
import { endOfViolation } from '../../src/report/endings/violations.js'
import { type ExitCodeRow, exitCodeRows, severityOrderWords } from '../../src/report/exit-code.js'
import { findCommandsWith, ofEveryCommand } from './command-exit-codes.js'
import { buildAnchor, formatCode, formatNotice, formatTable } from './markdown.js'

/** Every table of endings, and of their causes. */
const tables: readonly Titled[] = [
  endOfApply,
  endOfProblem,
  causeOfServiceKind,
  causeOfStateKind,
  endOfBlocker,
  endOfViolation,
  endOfWait,
  endOfClearing,
  endOfMove,
  endOfAdoption,
  endOfExport,
  endOfDeletion,
]

/** Lists the endings with an exit code, each once. */
export function listEndings(name: string): readonly string[] {
  const titles = tables.flatMap(table => table.titles)
  return [...new Set(titles.flatMap(([exit, title]) => (exit === name ? [title] : [])))]
}

/** Builds `docs/reference/exit-codes.md`: the meaning of each exit code and the next step. */
export function buildExitCodesPage(): string {
  const known = Object.entries<ExitCodeRow>(exitCodeRows)
  return [
    formatNotice('src/report/exit-code.ts, src/report/endings/ and scripts/reference/command-exit-codes.ts'),
    '',
    '# Exit codes',
    '',
    'Exit codes are a contract: a code never changes its meaning. The last line on stderr names the next step. Codes from',
    '64 on are those of `sysexits.h`, from 129 on those of signals; 1 is never used on purpose.',
    '',
    ...formatTable(
      ['code', 'meaning', 'again'],
      known.map(([, { code, meaning, again }]) => [formatLink(code), meaning, again]),
    ),
    '',
    `A run for many sites ends with the worst of their codes, in the order ${severityOrderWords}.`,
    '',
    ...known.flatMap(formatExitCode),
  ].join('\n')
}

function formatLink(value: number): string {
  return `[${value}](#${value})`
}

function formatExitCode([name, { code, meaning, next }]: readonly [string, ExitCodeRow]): readonly string[] {
  const ends = listEndings(name).map(title => `- ${title}`)
  const commands = findCommandsWith(code).map(
    name => `[${formatCode(name)}](cli.md#${buildAnchor(`landform ${name}`)})`,
  )
  const who = ofEveryCommand.includes(code) ? 'every command' : commands.join(', ')
  return [
    `## ${code}`,
    '',
    `${capitalizeFirst(meaning)}. ${next}`,
    '',
    ...(ends.length === 0 ? [] : ['Endings with this code:', '', ...ends, '']),
    `*Used by:* ${who}.`,
    '',
  ]
}

function capitalizeFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
