import { defaultColumns } from '../../report/terminal.js'
import type { Result } from '../../result.js'
import type { Argument, CommandEntry, HelpLists } from '../command.js'
import { formatCommandHelp } from './command-help.js'
import { asksForHelp, findEntry, findMisreading, isHelp, isVersion, listMembers } from './words.js'
import { type CommandTable, createReader, createTable } from './yargs-table.js'

/** The words and options of a command line, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** The result of reading a command line: a command to run, or a text to print. */
type Understood =
  | { readonly kind: 'run'; readonly entry: CommandEntry; readonly argv: Values }
  | { readonly kind: 'text'; readonly text: string }

/** Reads a command line; `more` is at the end of its help. The error is the message for an unknown or ambiguous word. */
export function readCommandLine(
  words: readonly string[],
  table: CommandTable,
  view: { readonly columns: number; readonly more: HelpLists },
): Result<Understood, string> {
  const mistake = findMisreading(words, table)
  if (mistake !== undefined) return { ok: false, error: mistake }
  const [first = ''] = words
  if (isVersion(first)) return { ok: true, value: { kind: 'text', text: `${table.version}\n` } }
  const entry = findEntry(words, table)
  const named = words.filter(word => !isHelp(word))
  const isGroup = named.length === 1 && Object.hasOwn(table.groups, named[0] ?? '')
  const isKnown = entry !== undefined || named.length === 0 || isGroup
  if (isKnown && asksForHelp(words)) {
    const text =
      entry === undefined
        ? formatTableHelp(words, table, view.columns)
        : formatCommandHelp(entry, view.more, view.columns)
    return { ok: true, value: { kind: 'text', text } }
  }
  return entry === undefined
    ? { ok: false, error: describeUnknownCommand(named, table) }
    : readWords(entry, words)
}

/** Reads the words after the name of a command with yargs, and assigns those that are not options to its arguments. */
function readWords(entry: CommandEntry, words: readonly string[]): Result<Understood, string> {
  const { name, options, arguments: declared } = entry
  const argv: Readonly<Record<string, unknown>> = createReader(entry).parseSync(
    words.slice(name.split(' ').length),
  )
  const given = Object.entries(options).map(([option, { kind }]) => {
    const value = argv[option]
    if (kind === 'flag') return [option, value === true] as const
    return [option, kind === 'list' ? [value ?? []].flat().map(String) : (value as string)] as const
  })
  const assigned = assignWords(declared, argv['_'] as readonly string[])
  if (!assigned.ok) {
    const [taker] = Object.entries(options).find(([option, one]) => 'alone' in one && argv[option]) ?? []
    if (taker === undefined) return assigned
    const taken = JSON.stringify(argv[taker])
    return { ok: false, error: `${assigned.error}; ${taken} was read as the value of --${taker}` }
  }
  return {
    ok: true,
    value: { kind: 'run', entry, argv: { ...Object.fromEntries(given), ...assigned.value } },
  }
}

/** Formats the help of all commands, or of those in a group. */
function formatTableHelp(words: readonly string[], table: CommandTable, columns: number): string {
  let help = ''
  createTable(selectMeant(words, table), columns).parse([...words], {}, (_error, _argv, output) => {
    help = output
  })
  return `${help.trimEnd()}\n`
}

/** Selects the commands that the first word may mean, or all if it means none: yargs takes time for each. */
function selectMeant([first = '']: readonly string[], table: CommandTable): CommandTable {
  const meant = table.entries.filter(
    ({ name, aliases = [] }) => name.split(' ')[0] === first || aliases.includes(first),
  )
  return meant.length === 0 ? table : { ...table, entries: meant }
}

/** Assigns words to the arguments of a command; only optional arguments may get none. */
function assignWords(declared: readonly Argument[], words: readonly string[]): Result<Values, string> {
  const left = [...words]
  const values: Record<string, string | readonly string[] | undefined> = {}
  for (const { name, many, optional } of declared) {
    if (left.length === 0 && optional !== true)
      return {
        ok: false,
        error: /^files?$/.test(name)
          ? 'name a manifest, such as site.yaml; `landform init` writes one'
          : `name the ${name}`,
      }
    values[name] = many === true ? left.splice(0) : left.shift()
  }
  if (left.length === 0) return { ok: true, value: values }
  return { ok: false, error: `unexpected argument ${JSON.stringify(left.join(', '))}` }
}

function describeUnknownCommand([first = '', second = '']: readonly string[], table: CommandTable): string {
  const members = listMembers(first, table)
  const words = members.length === 0 ? [first] : [first, second]
  const written = words.join(' ')
  const meant = findMeant(words, table)
  if (meant !== undefined)
    return `unknown command ${written}; did you mean ${members.length === 0 ? meant : `${first} ${meant}`}?`
  return `unknown command ${written}${members.length === 0 ? '' : `; use ${members.join(' or ')}`}`
}

/** Finds the command that yargs suggests for the last of these words. */
function findMeant(words: readonly string[], table: CommandTable): string | undefined {
  let meant: string | undefined
  const parser = createTable(selectMeant(words, table), defaultColumns).fail(message => {
    meant ??= /^Did you mean (.*)\?$/.exec(message ?? '')?.[1]
  })
  parser.parse([...words])
  return meant
}
