import { findSimilar } from '../../diagnostics/did-you-mean.js'
import type { CommandEntry, Option } from '../command.js'
import type { CommandTable } from './yargs-table.js'

/** Takes the words before `--`: only they can be options. */
function takeOptions(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
}

/** Tests for a word that asks for the help. */
export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** Tests whether any word asks for the help. */
export function asksForHelp(words: readonly string[]): boolean {
  return takeOptions(words).some(isHelp)
}

/** Tests for a word that asks for the version. */
export function isVersion(word: string): boolean {
  return ['--version', '-V', 'version'].includes(word)
}

/** Finds the command that the first words name. */
export function findEntry(
  [first = '', second]: readonly string[],
  { entries }: CommandTable,
): CommandEntry | undefined {
  return entries.find(
    ({ name, aliases }) => name === first || name === `${first} ${second}` || aliases?.includes(first),
  )
}

/** Lists the full names of the commands in a group. */
export function listMembers(group: string, { entries }: CommandTable): readonly string[] {
  return entries.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name)
}

/**
 * Finds a mistake that yargs 18.2 would misread, or accept without a message: an option before the command or within
 * its name, an unknown option, a value of a switch, an option with a missing or empty value, or a repetition. Returns
 * the message; `undefined` if yargs may read the line.
 */
export function findMisreading(words: readonly string[], table: CommandTable): string | undefined {
  const [first, second] = words
  if (first === undefined) return 'name a command, such as validate, plan or apply'
  if (isVersion(first))
    return second === undefined ? undefined : `unexpected argument ${JSON.stringify(second)}`
  if (first.startsWith('-') && !isHelp(first)) return `name the command before ${first}`
  if (Object.hasOwn(otherNames, first)) return `unknown command ${first}; ${otherNames[first]}`
  if (asksForHelp(words)) return undefined
  const entry = findEntry(words, table)
  if (entry !== undefined) return findOptionMistake(takeOptions(words), entry.options)
  const members = listMembers(first, table)
  const isCut = members.length > 0 && (second === undefined || /^-./.test(second))
  return isCut ? `name the whole command: ${members.join(' or ')}` : undefined
}

const neverRemoves = 'Landform never removes a site'

/** Names of commands in other tools or earlier versions, with the command to use here. */
const otherNames: Readonly<Record<string, string>> = {
  delete: neverRemoves,
  deploy: 'use apply',
  destroy: neverRemoves,
  diff: 'use plan for what apply would change, and drift for what differs on the site',
  fix: 'use validate --fix',
  import: 'use adopt, which records an existing site',
  remove: neverRemoves,
  up: 'use apply',
  why: 'use render FILE --origins PATH',
}

/** Each word with a dash and more is an option, so no value can begin with a dash. */
function findOptionMistake(words: readonly string[], options: CommandEntry['options']): string | undefined {
  const given = new Set<string>()
  for (const [at, word] of words.entries()) {
    if (!/^-./.test(word)) continue
    for (const { written, inline } of optionsIn(word)) {
      const found = findOption(written, options)
      if (found === undefined) {
        // In other tools, a single dash begins a whole name.
        const [whole = ''] = /^-\w[\w-]+/.exec(word) ?? []
        return describeUnknown(findMeantOption(whole, options) === undefined ? written : whole, options)
      }
      const [name, option] = found
      const value = inline ?? (option.kind === 'flag' ? undefined : words[at + 1])
      const mistake = findValueMistake(name, option, value, inline !== undefined)
      if (mistake !== undefined) return mistake
      if (option.kind !== 'list' && given.has(name)) return `--${name} is given more than once`
      given.add(name)
    }
  }
  return undefined
}

/** Reads `--name`, `--name=value`, or the switches of `-abc`; `written` has its dashes. */
function optionsIn(word: string): readonly { readonly written: string; readonly inline?: string }[] {
  const [, written = word, inline] = /^(--?[^=]*)(?:=(.*))?$/s.exec(word) ?? []
  if (written.startsWith('--') || written.length < 3)
    return [{ written, ...(inline !== undefined && { inline }) }]
  const switches = [...written.slice(1)].map(letter => ({ written: `-${letter}` }))
  return inline === undefined ? switches : [...switches, { written: `-${written.at(-1)}`, inline }]
}

function findOption(
  written: string,
  options: CommandEntry['options'],
): readonly [name: string, option: Option] | undefined {
  return Object.entries(options).find(
    ([name, option]) =>
      written === `--${name}` ||
      (option.kind === 'flag' && option.short !== undefined && written === `-${option.short}`),
  )
}

function describeUnknown(written: string, options: CommandEntry['options']): string {
  if (/^(?:-f|--file|--filename)$/.test(written))
    return `unknown option ${written}; name the file without an option`
  const meant = findMeantOption(written, options)
  return `unknown option ${written}${meant === undefined ? '' : `; did you mean --${meant}?`}`
}

function findMeantOption(written: string, options: CommandEntry['options']): string | undefined {
  const name = written.replace(/^-+/, '')
  const known = otherOptions[name]
  return known !== undefined && known in options ? known : findSimilar(name, Object.keys(options))
}

/** Names of options in other tools, with the option to use here. */
const otherOptions: Readonly<Record<string, string>> = {
  'auto-approve': 'yes',
  o: 'out',
  output: 'format',
  y: 'yes',
}

function findValueMistake(
  name: string,
  option: Option,
  value: string | undefined,
  isInline: boolean,
): string | undefined {
  if (option.kind === 'flag') return value === undefined ? undefined : `--${name} takes no value`
  // A word that looks like an option is not a value, so the value is missing.
  const isMissing = value === undefined || (!isInline && /^-./.test(value))
  if (isMissing && option.alone) return undefined
  if (isMissing || value === '') return `--${name} needs a value, ${option.value}`
  // No shell removed these quotes: they are of another shell, an env file or a word processor. The value may be a secret
  // in the wrong place, so it is not quoted.
  if (/^(?:".*"|'.*'|\u201c.*\u201d|\u2018.*\u2019)$/s.test(value))
    return `the value of --${name} is wrapped in quotes; remove them`
  if (option.choices === undefined || option.choices.includes(value)) return undefined
  const meant = findSimilar(value, option.choices)
  const remedy = meant === undefined ? `use ${option.choices.join(', ')}` : `did you mean ${meant}?`
  return `--${name} cannot be ${JSON.stringify(value)}; ${remedy}`
}
