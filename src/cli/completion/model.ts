import type { Argument, Command, Listed, Option } from '../command.js'

/** What may stand in one place of a command line. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'anything' }

export interface CompletedOption {
  /** `--name`, and `-n` where there is one. */
  readonly spellings: readonly string[]
  readonly describe: string
  /** Absent for a switch. */
  readonly value?: Offer
  readonly repeats: boolean
}

/** One command as completion sees it. */
export interface CompletedCommand extends Listed {
  readonly options: readonly CompletedOption[]
  /** What its words are. */
  readonly words: Offer
}

/** What completion can offer for a command. */
export function completed(listed: Listed, command: Command): CompletedCommand {
  const { name, usage, summary } = listed
  const offers = command.arguments.map(wordsOf)
  return {
    name,
    usage,
    summary,
    options: [...Object.entries(command.options).map(optionOf), help],
    // Which of several words is being typed, nobody counts: the one that can be offered is.
    words: offers.find(({ kind }) => kind !== 'anything') ?? { kind: 'anything' },
  }
}

const help: CompletedOption = { spellings: ['--help', '-h'], describe: 'Print the help', repeats: false }

function optionOf([name, option]: readonly [string, Option]): CompletedOption {
  const spellings = [`--${name}`, ...(option.short === undefined ? [] : [`-${option.short}`])]
  const { describe } = option
  if (option.kind === 'flag') return { spellings, describe, repeats: false }
  return { spellings, describe, value: offerOf(option), repeats: option.kind === 'list' }
}

function offerOf({ choices, suggests, value }: Exclude<Option, { readonly kind: 'flag' }>): Offer {
  const words = choices ?? suggests
  if (words !== undefined) return { kind: 'words', words }
  return { kind: /^(?:FILE|PATH)/.test(value) ? 'files' : 'anything' }
}

function wordsOf({ name, suggests }: Argument): Offer {
  if (suggests !== undefined) return { kind: 'words', words: suggests() }
  return { kind: /^files?$/.test(name) ? 'files' : 'anything' }
}

/** The second words of the commands of two words, by their first. */
export function groupsOf(commands: readonly Listed[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second])
  }
  return groups
}

/** What the first word of a command line can be. */
export function firstWords(commands: readonly Listed[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))]
}
