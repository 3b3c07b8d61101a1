import { catalog } from '../../diagnostics/diagnostic.js'
import { scenarios } from '../../emulator/scenarios/scenarios.js'
import { listFieldPointers } from '../../schema/field-schema.js'
import { formatDotted } from '../../schema/pointer.js'
import type { Option, SuggestedList } from '../command.js'
import { findEntry } from './words.js'
import type { CommandTable } from './yargs-table.js'

/** A word that completion offers, and its meaning if there is one to show. */
type Offer = readonly [word: string, meaning?: string]

/** Lists for completion only: other values are also valid. */
const lists: Readonly<Record<SuggestedList, () => readonly Offer[]>> = {
  'codes and fields': () => [...toOffers(Object.keys(catalog)), ...fields()],
  fields,
  scenarios: () => Object.entries(scenarios).map(([name, { summary }]) => [name, summary]),
}

function fields(): readonly Offer[] {
  return toOffers(listFieldPointers().map(formatDotted))
}

function toOffers(words: readonly string[]): readonly Offer[] {
  return words.map(word => [word])
}

/** Lists the completions of the last word, one per line, each with its meaning after a tab. Empty to complete files. */
export function completions(words: readonly string[], table: CommandTable): string {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  // Bash splits `--name=value` at the equals sign, which may then be the last word.
  const current = last === '=' ? '' : last
  const typed = last !== '=' && before.at(-1) === '=' ? before.slice(0, -1) : before
  return listOffers(typed, current, table)
    .filter(([word]) => word.startsWith(current))
    .map(offer => `${offer.join('\t')}\n`)
    .join('')
}

function listOffers(typed: readonly string[], current: string, table: CommandTable): readonly Offer[] {
  const entry = findEntry(typed, table)
  if (entry === undefined)
    return current.startsWith('-')
      ? [helpOption, ['--version', 'Print the version']]
      : listCommands(typed, table)
  const [name = '', value] = current.split('=', 2)
  if (value !== undefined && name.startsWith('--'))
    return listValues(entry.options[name.slice(2)]).map(([word, ...meaning]) => [
      `${name}=${word}`,
      ...meaning,
    ])
  const last = typed.at(-1) ?? ''
  const option = last.startsWith('--') ? entry.options[last.slice(2)] : undefined
  if (option !== undefined && option.kind !== 'flag') return listValues(option)
  if (current.startsWith('-') || entry.arguments.length === 0)
    return [
      helpOption,
      ...Object.entries(entry.options).map(([name, one]): Offer => [`--${name}`, one.describe]),
    ]
  return expand(entry.arguments.find(({ suggests }) => suggests !== undefined)?.suggests)
}

const helpOption: Offer = ['--help', 'Print this help']

/** Lists the first words of commands, or the second words of a group. */
function listCommands([first, ...others]: readonly string[], { entries, groups }: CommandTable): Offer[] {
  if (others.length > 0) return []
  const members = entries.filter(({ name }) => first === undefined || name.startsWith(`${first} `))
  const offers = members.map(({ name, describe }): readonly [string, string] => {
    const [group = '', member] = name.split(' ')
    if (member === undefined) return [name, describe]
    return first === undefined ? [group, groups[group] ?? ''] : [member, describe]
  })
  return [...new Map(offers)]
}

function listValues(option: Option | undefined): readonly Offer[] {
  return option === undefined || option.kind === 'flag' ? [] : expand(option.choices ?? option.suggests)
}

function expand(list: readonly string[] | SuggestedList | undefined): readonly Offer[] {
  if (list === undefined) return []
  return typeof list === 'string' ? lists[list]() : toOffers(list)
}
