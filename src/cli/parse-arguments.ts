import { parseArgs } from 'node:util'
import { didYouMean } from '../manifest/did-you-mean.js'
import type { Argument, Option, Options } from './command.js'
import { UsageError } from './usage-error.js'

/** The words of a command line and its options, by name. */
export type Parsed = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Reads the words after the name of a command; what was not declared is an error, and so is a repetition. */
export function parseArguments(
  words: readonly string[],
  options: Options,
  declared: readonly Argument[],
): Parsed {
  const given = new Map<string, string[]>()
  const positionals: string[] = []
  for (const token of tokensOf(words, options)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (option === undefined) throw unknownOption(token.rawName, Object.keys(options))
    const values = given.get(token.name) ?? []
    if (values.length > 0 && option.kind !== 'list')
      throw new UsageError(`--${token.name} is given more than once`)
    given.set(token.name, [...values, givenValue(token, option)])
  }
  return {
    ...Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, settled(option, given.get(name))]),
    ),
    ...assigned(positionals, declared),
  }
}

function tokensOf(words: readonly string[], options: Options) {
  // Node loads its parser of arguments at the first call, which words alone do not need.
  if (words.every(word => !word.startsWith('-')))
    return words.map(value => ({ kind: 'positional', value }) as const)
  const shapes = Object.entries(options).map(([name, option]) => [name, shapeOf(option)] as const)
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(shapes),
    strict: false,
    tokens: true,
  }).tokens
}

function shapeOf(option: Option) {
  const type = option.kind === 'flag' ? ('boolean' as const) : ('string' as const)
  return { type, multiple: true, ...(option.short !== undefined && { short: option.short }) }
}

interface OptionToken {
  readonly name: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function givenValue({ name, value, inlineValue }: OptionToken, option: Option): string {
  if (option.kind === 'flag') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`)
    return 'true'
  }
  // What looks like another option is one: the value was forgotten.
  const forgotten = value === undefined || (inlineValue !== true && /^-./.test(value))
  if (forgotten || value === '') throw new UsageError(`--${name} needs a value, ${option.value}`)
  if (option.choices === undefined || option.choices.includes(value)) return value
  const meant = didYouMean(value, option.choices)
  const remedy = meant === undefined ? `use ${option.choices.join(', ')}` : `did you mean ${meant}?`
  throw new UsageError(`--${name} cannot be ${JSON.stringify(value)}; ${remedy}`)
}

function settled(option: Option, given: readonly string[] | undefined) {
  if (option.kind === 'flag') return given !== undefined
  const values = given ?? (option.default === undefined ? [] : [option.default])
  return option.kind === 'list' ? values : values[0]
}

function assigned(words: readonly string[], declared: readonly Argument[]): Parsed {
  const values: Record<string, string | readonly string[] | undefined> = {}
  let rest = words
  for (const { name, many, optional } of declared) {
    const [first, ...others] = rest
    if (first === undefined && optional !== true)
      throw new UsageError(/^files?$/.test(name) ? 'name a manifest, such as site.yaml' : `name the ${name}`)
    values[name] = many === true ? rest : first
    rest = many === true ? [] : others
  }
  if (rest[0] !== undefined) throw new UsageError(`there is no place for ${JSON.stringify(rest[0])} here`)
  return values
}

function unknownOption(written: string, names: readonly string[]): UsageError {
  const meant = didYouMean(written.replace(/^-+/, ''), names)
  const remedy = meant === undefined ? '' : `; did you mean --${meant}?`
  return new UsageError(`there is no option ${written} here${remedy}`)
}
