import yargs, { type Argv, type Options as YargsOption } from 'yargs'
import { type Argument, type CommandEntry, formatArguments, type Option } from '../command.js'

export interface CommandTable {
  readonly entries: readonly CommandEntry[]
  /** The descriptions of groups of commands, by their first word. */
  readonly groups: Readonly<Record<string, string>>
  readonly version: string
}

/** Callbacks while yargs reads a line. */
export interface ParserSteps {
  /** A command was recognized, and nothing of the rest was read. */
  begin?(entry: CommandEntry): void
  /** Its words and options were read. */
  end?(entry: CommandEntry, argv: Readonly<Record<string, unknown>>): void
  /** Answers with what is wrong, by the words of yargs. */
  toError?(message: string): Error
}

/** yargs with every command of a table, for these words. It prints nothing, and ends no process. */
export function createParser(
  words: readonly string[],
  { entries, groups, version }: CommandTable,
  columns: number,
  steps: ParserSteps = {},
): Argv {
  let all = prepareReader(yargs([...words]), columns)
    .usage('$0 <command> [options]')
    .version(version)
    .alias('version', 'V')
    .describe('version', 'Print the version')
    .epilog(exitCodeLines)
    .demandCommand(1, 'name a command, such as validate, plan or apply')
    .fail((message, error) => {
      throw error ?? steps.toError?.(message) ?? new Error(message)
    })
  for (const entry of entries) {
    const [first = '', second] = entry.name.split(' ')
    const members = entries.filter(({ name }) => name.startsWith(`${first} `))
    if (second === undefined) all = withCommand(all, entry, steps)
    else if (members[0] === entry)
      all = all.command(first, groups[first] ?? '', group => {
        for (const member of members) withCommand(inside(group), member, steps)
        return group.demandCommand(
          1,
          `name the whole command: ${members.map(({ name }) => name).join(' or ')}`,
        )
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

/** Configures yargs: unknown names are errors, names are not changed, and only the caller prints or ends the process. */
function prepareReader(reader: Argv, columns: number): Argv {
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
      // No translation of its messages: `read-command-line.ts` rewrites them.
      .detectLocale(false)
      .exitProcess(false)
      .showHelpOnFail(false)
      .strict()
      .recommendCommands()
      .alias('help', 'h')
      .describe('help', 'Print the help; after a command, that of the command')
      .wrap(columns)
  )
}

/** Of a command or a group: the version and the exit codes are asked of the program. */
function inside(reader: Argv): Argv {
  return reader.version(false).describe('help', 'Print this help').epilog('')
}

function withCommand(reader: Argv, entry: CommandEntry, { begin, end }: ParserSteps): Argv {
  const { name, aliases = [], describe, arguments: declaredWords, options } = entry
  const called = [name.split(' ').at(-1), ...formatArguments(entry)].join(' ')
  return reader.command(
    [called, ...aliases],
    describe,
    command => {
      begin?.(entry)
      let all = inside(command).options(yargsOptions(options))
      for (const word of declaredWords) all = all.positional(word.name, yargsWord(word))
      return all
    },
    argv => end?.(entry, argv),
  )
}

function yargsOptions(options: Readonly<Record<string, Option>>): Readonly<Record<string, YargsOption>> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, yargsOption(option)]))
}

function yargsOption(option: Option): YargsOption {
  const { describe } = option
  if (option.kind === 'flag')
    return { type: 'boolean', describe, ...(option.short !== undefined && { alias: option.short }) }
  const { kind, value, choices, default: preset } = option
  return {
    type: 'string',
    nargs: 1,
    describe: `${value}: ${describe}`,
    ...(kind === 'list' && { array: true }),
    ...(choices !== undefined && { choices }),
    ...(preset !== undefined && { default: kind === 'list' ? [preset] : preset, defaultDescription: preset }),
  }
}

function yargsWord({ describe }: Argument) {
  return { type: 'string', describe } as const
}
