import { type ExitCodeRow, exitCodeRows, severityOrderWords } from '../../src/report/exit-code.js'
import { findCommandsWith, ofEveryCommand } from './command-exit-codes.js'
import { buildAnchor, formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/exit-codes.md`: the meaning of each exit code and the next step. */
export function buildExitCodesPage(): string {
  const known: readonly ExitCodeRow[] = Object.values(exitCodeRows)
  return [
    formatNotice('src/report/exit-code.ts and scripts/reference/command-exit-codes.ts'),
    '',
    '# Exit codes',
    '',
    'Exit codes are a contract: a code never changes its meaning. The last line on stderr says what to do next. 1 is never',
    'used on purpose. From 64 on the codes are those of `sysexits.h`, from 129 on those of signals.',
    '',
    ...formatTable(
      ['code', 'meaning', 'again'],
      known.map(({ code, meaning, again }) => [formatLink(code), meaning, again]),
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

function formatExitCode({ code, meaning, next }: ExitCodeRow): readonly string[] {
  const commands = findCommandsWith(code).map(
    name => `[${formatCode(name)}](cli.md#${buildAnchor(`landform ${name}`)})`,
  )
  const who = ofEveryCommand.includes(code) ? 'every command' : commands.join(', ')
  return [`## ${code}`, '', `${capitalizeFirst(meaning)}. ${next}`, '', `*Used by:* ${who}.`, '']
}

function capitalizeFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
