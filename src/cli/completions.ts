import { catalog } from '../diagnostics/catalog.js'
import { dotted } from '../diagnostics/pointer.js'
import { scenarioNames } from '../emulator/scenarios/scenarios.js'
import { fieldPointers } from '../schema/field-schema.js'
import type { Argument, Entry, Option, SuggestedList } from './command.js'
import { type CommandTable, completionsOf } from './command-line.js'

/** Lists that completion offers, and that no command line is checked against. */
const lists: Readonly<Record<SuggestedList, () => readonly string[]>> = {
  'codes and fields': () => [...Object.keys(catalog), ...fields()],
  fields,
  scenarios: () => scenarioNames,
}

function fields(): readonly string[] {
  return fieldPointers().map(dotted)
}

/** What a shell offers after these words, one a line; nothing where it should offer files. */
export function completions(words: readonly string[], table: CommandTable): string {
  const typed = words.slice(0, -1)
  const entry = table.entries.find(({ name }) => {
    const [first, second] = name.split(' ')
    return first === typed[0] && (second === undefined || second === typed[1])
  })
  return completionsOf(words, table, current => {
    if (entry === undefined) return undefined
    const option = optionBefore(entry, typed)
    if (option !== undefined) return starting(option.choices ?? option.suggests, current)
    return current.startsWith('-') ? undefined : wordsOf(entry, current)
  })
}

/** The option whose value is being typed. Bash cuts `--name=value` at the sign. */
function optionBefore(
  { options }: Entry,
  typed: readonly string[],
): Exclude<Option, { readonly kind: 'flag' }> | undefined {
  const last = typed.at(-1) === '=' ? typed.at(-2) : typed.at(-1)
  const option = last?.startsWith('--') === true ? options[last.slice(2)] : undefined
  return option === undefined || option.kind === 'flag' ? undefined : option
}

/** Which of several words is being typed, nobody counts: the one that can be offered is; else it is a file. */
function wordsOf({ arguments: declared }: Entry, current: string): readonly string[] | undefined {
  if (declared.length === 0) return undefined
  return starting(
    declared.map(({ suggests }: Argument) => suggests).find(list => list !== undefined),
    current,
  )
}

function starting(list: readonly string[] | SuggestedList | undefined, current: string): readonly string[] {
  const all = list === undefined ? [] : typeof list === 'string' ? lists[list]() : list
  return all.filter(word => word.startsWith(current))
}
