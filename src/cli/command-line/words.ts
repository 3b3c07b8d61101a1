import { findSimilar } from '../../manifest/did-you-mean.js'
import type { CommandEntry, Option } from '../command.js'
import { UsageError } from '../exit-code.js'

/** The words of a command line before `--`, where options are, and after it, where none is. */
export function splitWords(words: readonly string[]): {
  readonly before: readonly string[]
  readonly after: readonly string[]
} {
  const end = words.indexOf('--')
  return end === -1
    ? { before: words, after: [] }
    : { before: words.slice(0, end), after: words.slice(end + 1) }
}

/** True for a word that asks for the help. */
export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** True where the help is asked for, with any other words. */
export function asksForHelp(words: readonly string[]): boolean {
  return splitWords(words).before.some(isHelp)
}

/**
 * Refuses the options of a command line that yargs 18.2 would take for something else, or drop without a message: a name that
 * is no option, a value of a switch, an option without its value or with an empty one, a repetition. Every word before `--`
 * that begins with a dash and goes on is an option; so no value does.
 */
export function refuseHalfUnderstood(words: readonly string[], { name, options }: CommandEntry): void {
  const [first, second] = words
  if (name.includes(' ') && second !== name.split(' ')[1])
    throw new UsageError(`name the whole command, landform ${name}, before ${second ?? first}`)
  const { before } = splitWords(words)
  const given = new Set<string>()
  for (const [at, word] of before.entries()) {
    if (!/^-./.test(word)) continue
    for (const { written, inline } of optionsIn(word)) {
      const [named, option] = declaredOption(written, options)
      refuseValue(
        named,
        option,
        inline ?? (option.kind === 'flag' ? undefined : before[at + 1]),
        inline !== undefined,
      )
      if (option.kind !== 'list' && given.has(named))
        throw new UsageError(`--${named} is given more than once`)
      given.add(named)
    }
  }
}

interface WrittenOption {
  /** With its dashes. */
  readonly written: string
  readonly inline?: string
}

/** `--name`, `--name=value`, or the switches of `-abc`. */
function optionsIn(word: string): readonly WrittenOption[] {
  const [, written = word, inline] = /^(--?[^=]*)(?:=(.*))?$/s.exec(word) ?? []
  if (written.startsWith('--') || written.length < 3)
    return [{ written, ...(inline !== undefined && { inline }) }]
  const switches = [...written.slice(1)].map(letter => ({ written: `-${letter}` }))
  return inline === undefined ? switches : [...switches, { written: `-${written.at(-1)}`, inline }]
}

function declaredOption(
  written: string,
  options: CommandEntry['options'],
): readonly [name: string, option: Option] {
  const found = Object.entries(options).find(
    ([name, option]) =>
      written === `--${name}` ||
      (option.kind === 'flag' && option.short !== undefined && written === `-${option.short}`),
  )
  if (found !== undefined) return found
  const meant = findSimilar(written.replace(/^-+/, ''), Object.keys(options))
  const remedy = meant === undefined ? '' : `; did you mean --${meant}?`
  throw new UsageError(`unknown option ${written}${remedy}`)
}

function refuseValue(name: string, option: Option, value: string | undefined, isInline: boolean): void {
  if (option.kind === 'flag') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`)
    return
  }
  // A word that looks like an option is one: the value is missing.
  if (value === undefined || value === '' || (!isInline && /^-./.test(value)))
    throw new UsageError(`--${name} needs a value, ${option.value}`)
  if (option.choices === undefined || option.choices.includes(value)) return
  const meant = findSimilar(value, option.choices)
  const remedy = meant === undefined ? `use ${option.choices.join(', ')}` : `did you mean ${meant}?`
  throw new UsageError(`--${name} cannot be ${JSON.stringify(value)}; ${remedy}`)
}
