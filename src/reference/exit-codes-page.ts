import { exitCodes, severityOrderWords } from '../cli/exit-code.js'
import { commandsWith, type ExitCodeFacts, exitCodeFacts, ofEveryCommand } from './exit-code-facts.js'
import { anchorOf, code, notice, table } from './markdown.js'

/** Builds `docs/reference/exit-codes.md`: the meaning of each exit code and the next step. */
export function exitCodesPage(): string {
  const known = Object.entries(exitCodeFacts) as readonly (readonly [keyof typeof exitCodes, ExitCodeFacts])[]
  return [
    notice('src/cli/exit-code.ts and src/reference/exit-code-facts.ts'),
    '',
    '# Exit codes',
    '',
    'Exit codes are a contract: a code never changes its meaning. The last line on stderr says what to do next. 1 is never',
    'used on purpose. From 64 on the codes are those of `sysexits.h`, from 129 on those of signals.',
    '',
    ...table(
      ['code', 'meaning', 'again'],
      known.map(([name, { meaning, again }]) => [link(exitCodes[name]), meaning, again]),
    ),
    '',
    `A run for many sites ends with the worst of their codes, in the order ${severityOrderWords}.`,
    '',
    ...known.flatMap(([name, facts]) => sectionOf(exitCodes[name], facts)),
  ].join('\n')
}

function link(value: number): string {
  return `[${value}](#${value})`
}

function sectionOf(value: number, { meaning, next }: ExitCodeFacts): readonly string[] {
  const commands = commandsWith(value).map(name => `[${code(name)}](cli.md#${anchorOf(`landform ${name}`)})`)
  const who = ofEveryCommand.includes(value) ? 'every command' : commands.join(', ')
  return [`## ${value}`, '', `${capital(meaning)}. ${next}`, '', `*Used by:* ${who}.`, '']
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
