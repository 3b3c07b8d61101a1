import yargs, { type Argv, type Options as YargsOption } from 'yargs'
import { type CommandEntry, formatArguments, type Option } from '../command.js'

export interface CommandTable {
  readonly entries: readonly CommandEntry[]
  /** The descriptions of groups of commands, by their first word. */
  readonly groups: Readonly<Record<string, string>>
  readonly version: string
}

/** Configures yargs with the options of one command, to read the words after its name, without printing or exiting. */
export function createReader({ options }: CommandEntry): Argv {
  // No option is declared as an array, because arrays lose a lone dash; yargs collects a repeated option by itself.
  const own = Object.entries(options).map(([name, option]) => [name, yargsOption(option)] as const)
  return prepare(yargs()).help(false).version(false).options(Object.fromEntries(own))
}

/** Configures yargs with every command of a table, to format help of this width, or to find what a first word may mean. */
export function createTable({ entries, groups, version }: CommandTable, columns: number): Argv {
  let all = prepare(yargs())
    .usage('$0 <command> [options]')
    .version(version)
    .alias('version', 'V')
    .describe('version', 'Print the version')
    .alias('help', 'h')
    .describe('help', 'Print the help; after a command, that of the command')
    .epilog(exitCodeLines)
    .strict()
    .recommendCommands()
    .wrap(columns)
  for (const entry of entries) {
    const [first = '', second] = entry.name.split(' ')
    const members = entries.filter(({ name }) => name.startsWith(`${first} `))
    if (second === undefined) all = withCommand(all, entry)
    else if (members[0] === entry)
      all = all.command(first, groups[first] ?? '', group => {
        // Only the program itself shows the version and the exit codes.
        for (const member of members)
          withCommand(group.version(false).describe('help', 'Print this help').epilog(''), member)
        return group
      })
  }
  return all
}

const exitCodeLines = [
  'Exit codes: 0 done, 2 changes, drift or a failed test, 3 still in progress,',
  '4 outcome unknown, 5 service reports failure, 6 stale plan, 7 locked by another',
  'run, 64 usage, 65 invalid manifest, 66 missing file or secret, 69 unreachable,',
  '70 internal error, 74 state, 75 service unavailable, 77 sign-in or TLS,',
  '78 refused by policy, 129 hung up, 130 interrupted, 143 terminated.',
].join('\n')

/** Configures yargs to change no names, and to leave printing and ending the process to the caller. */
function prepare(reader: Argv): Argv {
  return (
    reader
      .scriptName('landform')
      .parserConfiguration({
        'boolean-negation': false,
        'camel-case-expansion': false,
        'dot-notation': false,
        'greedy-arrays': false,
        'parse-numbers': false,
        'parse-positional-numbers': false,
      })
      // Untranslated, because `read-command-line.ts` parses its messages.
      .detectLocale(false)
      .exitProcess(false)
  )
}

function withCommand(reader: Argv, entry: CommandEntry): Argv {
  const { name, aliases = [], describe } = entry
  const called = [name.split(' ').at(-1), ...formatArguments(entry)].join(' ')
  return reader.command([called, ...aliases], describe)
}

function yargsOption(option: Option): YargsOption {
  if (option.kind === 'flag')
    return { type: 'boolean', ...(option.short !== undefined && { alias: option.short }) }
  const { kind, choices, default: preset, alone } = option
  return {
    type: 'string',
    ...(!alone && { nargs: 1 }),
    ...(choices !== undefined && { choices }),
    ...(preset !== undefined && { default: kind === 'list' ? [preset] : preset }),
  }
}
