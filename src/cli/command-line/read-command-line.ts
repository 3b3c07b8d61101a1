import { wrapLines } from '../../report/wrap.js'
import type { CommandEntry, HelpLists } from '../command.js'
import { UsageError } from '../exit-code.js'
import { asksForHelp, refuseHalfUnderstood, splitWords } from './words.js'
import { type CommandTable, createParser } from './yargs-table.js'

/** The words and options of a command line, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The meaning of a command line: a command to perform, or a text to print. */
export type Understood =
  | { readonly kind: 'run'; readonly entry: CommandEntry; readonly argv: Values }
  | { readonly kind: 'text'; readonly text: string }

/** The width and the further lists of the help. */
export interface HelpView {
  /** Width of the help. */
  readonly columns: number
  /** Lists at the end of the help of a command. */
  readonly more: HelpLists
}

/** Reads a command line. What is unknown or half understood is a `UsageError`. */
export function readCommandLine(words: readonly string[], table: CommandTable, view: HelpView): Understood {
  let about: CommandEntry | undefined
  const reader = createParser([], selectMeant(words, table), view.columns, {
    begin: entry => {
      about = entry
      if (!asksForHelp(words)) refuseHalfUnderstood(words, entry)
    },
    end: (entry, argv) => {
      throw new Recognized(entry, readValues(entry, argv))
    },
    toError: message => new UsageError(translateMessage(message, words, about, table)),
  })
  let text = ''
  try {
    reader.parse(markWords(words), {}, (_error, _argv, output) => {
      text = output
    })
  } catch (error) {
    if (error instanceof Recognized) return { kind: 'run', entry: error.entry, argv: error.argv }
    throw error
  }
  const more = about === undefined ? [] : [['Examples', listExamples(about)] as const, ...view.more]
  return { kind: 'text', text: `${[text.trimEnd(), ...formatLists(more, view.columns)].join('\n\n')}\n` }
}

/** Selects the commands that the first word may mean, or all where it means none: yargs takes its time for each. */
function selectMeant([first = '']: readonly string[], table: CommandTable): CommandTable {
  const meant = table.entries.filter(
    ({ name, aliases = [] }) => name.split(' ')[0] === first || aliases.includes(first),
  )
  return meant.length === 0 ? table : { ...table, entries: meant }
}

/** Ends the reading of a line that was understood: after its handler yargs would write the help, nine tenths of its time. */
class Recognized extends Error {
  readonly entry: CommandEntry
  readonly argv: Values

  constructor(entry: CommandEntry, argv: Values) {
    super('a command line was understood')
    this.entry = entry
    this.argv = argv
  }
}

/**
 * Marks what yargs would lose (a lone dash, the words after `--`, and `help` where it is not the first word) with a
 * character that no word of a command line can have.
 */
const mark = '\0'

function markWords(words: readonly string[]): readonly string[] {
  const { before, after } = splitWords(words)
  return [
    ...before.map(word => (word === '-' || word === 'help' ? mark + word : word)),
    ...after.map(word => mark + word),
  ]
}

function unmarkWord(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text
}

function readValues(
  { options, arguments: words }: CommandEntry,
  argv: Readonly<Record<string, unknown>>,
): Values {
  const read = (value: unknown) =>
    Array.isArray(value)
      ? value.map(String).map(unmarkWord)
      : typeof value === 'string'
        ? unmarkWord(value)
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

/** Translates a message of yargs to the style of the other messages. */
function translateMessage(
  message: string,
  words: readonly string[],
  entry: CommandEntry | undefined,
  table: CommandTable,
): string {
  const [, meant] = /^Did you mean (.*)\?$/.exec(message) ?? []
  const [, strange] = /^Unknown (?:argument|command)s?: (.*)$/s.exec(message) ?? []
  if (entry === undefined && (meant ?? strange) !== undefined)
    return describeUnknownCommand(words, meant, table)
  if (strange !== undefined) return `unexpected argument ${JSON.stringify(unmarkWord(strange))}`
  const [, got] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? []
  const missing = got === undefined ? undefined : entry?.arguments[Number(got)]?.name
  if (missing === undefined) return message
  return /^files?$/.test(missing) ? 'name a manifest, such as site.yaml' : `name the ${missing}`
}

function describeUnknownCommand(
  [first = '', second = '']: readonly string[],
  meant: string | undefined,
  table: CommandTable,
) {
  const members = table.entries.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  const written = members.length === 0 ? first : `${first} ${second}`
  if (meant !== undefined)
    return `unknown command ${written}; did you mean ${members.length === 0 ? meant : `${first} ${meant}`}?`
  return `unknown command ${written}${members.length === 0 ? '' : `; use ${members.join(' or ')}`}`
}

function listExamples({ examples }: CommandEntry): HelpLists[number][1] {
  return examples.map(([line, purpose]) => [`landform ${line}`, purpose])
}

/** Lists under their titles. A command line is never broken, so that it can be copied, as yargs would. */
function formatLists(all: HelpLists, columns: number): readonly string[] {
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => {
      const widest = Math.max(...lines.map(([left]) => left.length))
      const left = Math.min(widest, Math.max(24, Math.floor(columns / 3)))
      const gap = ' '.repeat(left + 4)
      const rows = lines.map(([term, meaning]) => {
        return term.length > left ? `  ${term}\n${gap}${meaning}` : `  ${term.padEnd(left)}  ${meaning}`
      })
      return wrapLines([`${title}:`, ...rows].join('\n'), columns)
    })
}
