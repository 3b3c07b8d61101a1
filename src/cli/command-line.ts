import yargs, { type Argv, type Options as YargsOption } from 'yargs'
import { wrapped } from '../report/wrap.js'
import { type Argument, type Entry, type HelpLists, type Option, placesOf } from './command.js'
import { refuseHalfUnderstood } from './half-understood.js'
import { UsageError } from './usage-error.js'

/** The words and options of a command line, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** What a command line asks for: a command to perform, or a text to print. */
export type Understood =
  | { readonly kind: 'run'; readonly entry: Entry; readonly argv: Values }
  | { readonly kind: 'text'; readonly text: string }

export interface CommandTable {
  readonly entries: readonly Entry[]
  /** What the first word of the commands of two words is about. */
  readonly groups: Readonly<Record<string, string>>
  readonly version: string
}

interface View {
  /** Width of the help. */
  readonly columns: number
  /** Lists at the end of the help of a command. */
  readonly more: HelpLists
}

/** Reads a command line. What is unknown or half understood is a `UsageError`. */
export function readCommandLine(words: readonly string[], table: CommandTable, view: View): Understood {
  const reader = declared(yargs(), table, {
    ...view,
    words,
    begin: entry => {
      if (!asksForHelp(words)) refuseHalfUnderstood(words, entry)
    },
    end: (entry, argv) => {
      throw new Recognized(entry, valuesOf(entry, argv))
    },
  })
  let text = ''
  try {
    reader.parse(kept(words), {}, (_error, _argv, output) => {
      text = output
    })
  } catch (error) {
    if (error instanceof Recognized) return { kind: 'run', entry: error.entry, argv: error.argv }
    throw error
  }
  return { kind: 'text', text: `${text}\n` }
}

/** Ends the reading of a line that was understood: after its handler yargs would write the help, nine tenths of its time. */
class Recognized extends Error {
  readonly entry: Entry
  readonly argv: Values

  constructor(entry: Entry, argv: Values) {
    super('a command line was understood')
    this.entry = entry
    this.argv = argv
  }
}

/** The words that complete a command line, whose last word is being typed. */
export function completionsOf(
  words: readonly string[],
  table: CommandTable,
  offer: (current: string) => readonly string[] | undefined,
): string {
  const line = ['--get-yargs-completions', 'landform', ...words]
  const reader = declared(yargs(line), table, { columns: 80, more: [], words, begin() {}, end() {} })
  let text = ''
  reader
    .completion(
      'completion',
      false,
      (current: string, _argv: unknown, others: () => void, done: (offered: string[]) => void) => {
        const offered = offer(current)
        if (offered === undefined) others()
        else done([...offered])
      },
    )
    .parse(line, {}, (_error, _argv, output) => {
      text = output
    })
  return text === '' ? '' : `${text}\n`
}

/** The script that has a shell ask the program for completions. */
export function completionScript(shell: string): string {
  // yargs knows the shell from the environment alone: here, and when it is asked for words.
  process.env['SHELL'] = shell
  let text = ''
  yargs()
    .scriptName('landform')
    .exitProcess(false)
    .completion('completion', false)
    .parse(['completion'], {}, (_error, _argv, output) => {
      text = output
    })
  // fish is told no files with -f, and its script passes no word that is still empty (yargs 18.2).
  const script = text
    .replace('complete -f ', 'complete ')
    .replace('(commandline -o)[2..-1]', '(commandline -opc) (commandline -ct)')
  return `${script.replaceAll('landform --get-yargs', `SHELL=${shell} landform --get-yargs`)}\n`
}

/** True where the help is asked for, whatever stands beside it. */
export function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).some(word => word === '--help' || word === '-h')
}

interface Steps extends View {
  readonly words: readonly string[]
  /** A command was recognized, and nothing of the rest was read. */
  begin(entry: Entry): void
  end(entry: Entry, argv: Readonly<Record<string, unknown>>): void
}

function declared(reader: Argv, table: CommandTable, steps: Steps): Argv {
  const { entries, groups, version } = table
  let about: Entry | undefined
  const watched: Steps = {
    ...steps,
    begin(entry) {
      about = entry
      steps.begin(entry)
    },
  }
  let all = prepared(reader, steps.columns)
    .usage('$0 <command> [options]')
    .version(version)
    .alias('version', 'V')
    .describe('version', 'Print the version')
    .epilog(exitCodeLines)
    .demandCommand(1, 'name a command, such as validate, plan or apply')
    .fail((message, error) => {
      throw error ?? new UsageError(worded(message, steps.words, about, table))
    })
  for (const entry of entries) {
    const [first = '', second] = entry.name.split(' ')
    const members = entries.filter(({ name }) => name.startsWith(`${first} `))
    if (second === undefined) all = withCommand(all, entry, watched)
    else if (members[0] === entry)
      all = all.command(first, groups[first] ?? '', group => {
        for (const member of members)
          withCommand(group.version(false).describe('help', 'Print this help').epilog(''), member, watched)
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
  '70 internal error, 74 state, 75 service in trouble, 77 sign-in or TLS,',
  '78 refused by policy, 129 hung up, 130 interrupted, 143 terminated.',
].join('\n')

/** What is not known is an error, names are as they are written, and nobody but the caller prints or ends the process. */
function prepared(reader: Argv, columns: number): Argv {
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
      // No translation of its messages: they are read below.
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

function withCommand(reader: Argv, entry: Entry, { begin, end, more, columns }: Steps): Argv {
  const { name, aliases = [], describe, arguments: declaredWords, options } = entry
  const called = [name.split(' ').at(-1), ...placesOf(entry)].join(' ')
  return reader.command(
    [called, ...aliases],
    describe,
    command => {
      begin(entry)
      let all = command
        .version(false)
        .describe('help', 'Print this help')
        .epilog(lists([['Examples', examplesOf(entry)], ...more], columns))
        .options(yargsOptions(options))
      for (const word of declaredWords) all = all.positional(word.name, yargsWord(word))
      return all
    },
    argv => end(entry, argv),
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

function examplesOf({ examples }: Entry): HelpLists[number][1] {
  return examples.map(([line, purpose]) => [`landform ${line}`, purpose])
}

/** Lists under their titles. A command line is never broken, so that it can be copied. */
function lists(all: HelpLists, columns: number): string {
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => {
      const widest = Math.max(...lines.map(([left]) => left.length))
      const left = Math.min(widest, Math.max(24, Math.floor(columns / 3)))
      const gap = ' '.repeat(left + 4)
      const rows = lines.map(([term, meaning]) => {
        const explained = wrapped(meaning, columns - gap.length).join(`\n${gap}`)
        return term.length > left ? `  ${term}\n${gap}${explained}` : `  ${term.padEnd(left)}  ${explained}`
      })
      return [`${title}:`, ...rows].join('\n')
    })
    .join('\n\n')
}

/**
 * What yargs would lose is marked with a character that no word of a command line can have: a lone dash, the words after
 * `--`, and `help` where it is not the first word.
 */
const mark = '\0'

function kept(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  const before = end === -1 ? words : words.slice(0, end)
  const after = end === -1 ? [] : words.slice(end + 1)
  return [
    ...before.map(word => (word === '-' || word === 'help' ? mark + word : word)),
    ...after.map(word => mark + word),
  ]
}

function unmarked(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text
}

function valuesOf({ options, arguments: words }: Entry, argv: Readonly<Record<string, unknown>>): Values {
  const read = (value: unknown) =>
    Array.isArray(value)
      ? value.map(String).map(unmarked)
      : typeof value === 'string'
        ? unmarked(value)
        : undefined
  const given = Object.entries(options).map(([name, option]) => {
    if (option.kind === 'flag') return [name, argv[name] === true] as const
    return [name, option.kind === 'list' ? (read(argv[name]) ?? []) : read(argv[name])] as const
  })
  const named = words.map(
    ({ name, many }) => [name, many === true ? (read(argv[name]) ?? []) : read(argv[name])] as const,
  )
  return Object.fromEntries([...given, ...named])
}

/** What yargs says of a command line, in the words of the other messages. */
function worded(
  message: string,
  words: readonly string[],
  entry: Entry | undefined,
  table: CommandTable,
): string {
  const [, meant] = /^Did you mean (.*)\?$/.exec(message) ?? []
  const [, strange] = /^Unknown (?:argument|command)s?: (.*)$/s.exec(message) ?? []
  if (entry === undefined && (meant ?? strange) !== undefined) return unknownCommand(words, meant, table)
  if (strange !== undefined) return `there is no place for ${JSON.stringify(unmarked(strange))} here`
  const [, got] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? []
  const missing = got === undefined ? undefined : entry?.arguments[Number(got)]?.name
  if (missing === undefined) return message
  return /^files?$/.test(missing) ? 'name a manifest, such as site.yaml' : `name the ${missing}`
}

function unknownCommand(
  [first = '', second = '']: readonly string[],
  meant: string | undefined,
  table: CommandTable,
) {
  const members = table.entries.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  const written = members.length === 0 ? first : `${first} ${second}`
  if (meant !== undefined)
    return `there is no command ${written}; did you mean ${members.length === 0 ? meant : `${first} ${meant}`}?`
  return `there is no command ${written}${members.length === 0 ? '' : `; use ${members.join(' or ')}`}`
}
