import yargs, { type Argv, type Options as YargsOption } from 'yargs'
import { type Argument, type CommandEntry, formatArguments, type Option } from '../command.js'

export interface CommandTable {
  readonly entries: readonly CommandEntry[]
  /** The descriptions of groups of commands, by their first word. */
  readonly groups: Readonly<Record<string, string>>
  readonly version: string
}

/**
 * yargs with every command of a table, to read a line or to write help of this width. Neither prints or ends the process. The
 * words of a command are arguments only in its help: yargs reads them as values of options, and loses those with a dash.
 */
export function createParser({ entries, groups, version }: CommandTable, helpColumns?: number): Argv {
  let all = prepareReader(yargs(), helpColumns)
    .usage('$0 <command> [options]')
    .version(version)
    .alias('version', 'V')
    .describe('version', 'Print the version')
    .epilog(exitCodeLines)
  for (const entry of entries) {
    const [first = '', second] = entry.name.split(' ')
    const members = entries.filter(({ name }) => name.startsWith(`${first} `))
    if (second === undefined) all = withCommand(all, entry, helpColumns !== undefined)
    else if (members[0] === entry)
      all = all.command(first, groups[first] ?? '', group => {
        for (const member of members) withCommand(inside(group), member, helpColumns !== undefined)
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

/** Configures yargs: names are not changed, and only the caller prints or ends the process. */
function prepareReader(reader: Argv, helpColumns: number | undefined): Argv {
  const configured = reader
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
    .strict()
    .recommendCommands()
  // Where it has help, yargs takes a last word `help` for a question.
  if (helpColumns === undefined) return configured.help(false)
  return configured
    .alias('help', 'h')
    .describe('help', 'Print the help; after a command, that of the command')
    .wrap(helpColumns)
}

/** Of a command or a group: the version and the exit codes are asked of the program. */
function inside(reader: Argv): Argv {
  return reader.version(false).describe('help', 'Print this help').epilog('')
}

function withCommand(reader: Argv, entry: CommandEntry, isHelp: boolean): Argv {
  const { name, aliases = [], describe, arguments: declaredWords, options } = entry
  const called = [name.split(' ').at(-1), ...(isHelp ? formatArguments(entry) : [])].join(' ')
  return reader.command([called, ...aliases], describe, command => {
    // The guard has refused unknown options, and unexpected words are found when they are assigned.
    const own = inside(command).strict(isHelp)
    for (const [option, declared] of Object.entries(options))
      own.option(option, yargsOption(declared, isHelp))
    if (isHelp) for (const word of declaredWords) own.positional(word.name, yargsWord(word))
    return own
  })
}

function yargsOption(option: Option, isHelp: boolean): YargsOption {
  const { describe } = option
  if (option.kind === 'flag')
    return { type: 'boolean', describe, ...(option.short !== undefined && { alias: option.short }) }
  const { kind, value, choices, default: preset } = option
  return {
    type: 'string',
    nargs: 1,
    describe: `${value}: ${describe}`,
    // An array loses a lone dash. Without it, yargs makes one of an option that is given more than once.
    ...(kind === 'list' && isHelp && { array: true }),
    ...(choices !== undefined && { choices }),
    ...(preset !== undefined && { default: kind === 'list' ? [preset] : preset, defaultDescription: preset }),
  }
}

function yargsWord({ describe }: Argument) {
  return { type: 'string', describe } as const
}
