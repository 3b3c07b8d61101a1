import type { Argument, Command, Option } from '../command.js'
import type { Listed } from '../help.js'

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
  const [first] = command.arguments
  return {
    name,
    usage,
    summary,
    options: [...Object.entries(command.options).map(optionOf), help],
    words: first === undefined ? { kind: 'anything' } : wordsOf(first),
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
