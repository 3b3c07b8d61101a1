import { exitCodes, severityOrderWords } from '../../src/report/exit-code.js'
import { type ExitCodeFacts, exitCodeFacts, findCommandsWith, ofEveryCommand } from './exit-code-facts.js'
import { buildAnchor, formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/exit-codes.md`: the meaning of each exit code and the next step. */
export function buildExitCodesPage(): string {
  const known = Object.entries(exitCodeFacts) as readonly (readonly [keyof typeof exitCodes, ExitCodeFacts])[]
  return [
    formatNotice('src/report/exit-code.ts and scripts/reference/exit-code-facts.ts'),
    '',
    '# Exit codes',
    '',
    'Exit codes are a contract: a code never changes its meaning. The last line on stderr says what to do next. 1 is never',
    'used on purpose. From 64 on the codes are those of `sysexits.h`, from 129 on those of signals.',
    '',
    ...formatTable(
      ['code', 'meaning', 'again'],
      known.map(([name, { meaning, again }]) => [formatLink(exitCodes[name]), meaning, again]),
    ),
    '',
    `A run for many sites ends with the worst of their codes, in the order ${severityOrderWords}.`,
    '',
    ...known.flatMap(([name, facts]) => formatExitCode(exitCodes[name], facts)),
  ].join('\n')
}

function formatLink(value: number): string {
  return `[${value}](#${value})`
}

function formatExitCode(value: number, { meaning, next }: ExitCodeFacts): readonly string[] {
  const commands = findCommandsWith(value).map(
    name => `[${formatCode(name)}](cli.md#${buildAnchor(`landform ${name}`)})`,
  )
  const who = ofEveryCommand.includes(value) ? 'every command' : commands.join(', ')
  return [`## ${value}`, '', `${capitalizeFirst(meaning)}. ${next}`, '', `*Used by:* ${who}.`, '']
}

function capitalizeFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
