import type { ExitCode } from '../report/exit-code.js'
import type { Host } from './host.js'

/**
 * The reach of a command: files only, reading a site, changing its state, sending requests that change a site, a port of
 * this machine, an emulated site in the same process, the API of a CI, or the database of a fleet.
 */
export type Touch = 'nothing' | 'looks' | 'changes' | 'sends' | 'serves' | 'rehearses' | 'ci' | 'fleet'

/** A list for completion, which is loaded only then. */
export type SuggestedList = 'codes and fields' | 'fields' | 'scenarios'

/** A switch that is on or off. */
interface Flag {
  readonly kind: 'flag'
  readonly short?: string
  readonly describe: string
}

/** An option with a value; `list` ones may be given several times. */
interface Valued {
  readonly kind: 'text' | 'list'
  /** The name of the value in the help. */
  readonly value: string
  readonly choices?: readonly string[]
  /** Values that completion offers; others are valid as well. */
  readonly suggests?: readonly string[] | SuggestedList
  readonly default?: string
  /** True if the value may be left out, and is then empty. */
  readonly alone?: true
  readonly describe: string
}

export type Option = Flag | Valued

/** Declares a switch. */
export function flag(describe: string, short?: string) {
  return { kind: 'flag', describe, ...(short !== undefined && { short }) } as const
}

type MoreOfValued = Pick<Valued, 'choices' | 'suggests' | 'default' | 'alone'>

/** Declares an option with one value, called `value` in the help. */
export function text<const M extends MoreOfValued>(value: string, describe: string, more?: M) {
  return { kind: 'text', value, describe, ...(more as M) } as const
}

/** Declares an option that may be given several times. */
export function list<const M extends MoreOfValued>(value: string, describe: string, more?: M) {
  return { kind: 'list', value, describe, ...(more as M) } as const
}

export type Options = { readonly [name: string]: Option }

/** A positional argument. */
export interface Argument {
  readonly name: string
  readonly many?: true
  readonly optional?: true
  readonly describe: string
  /** Words that completion offers; without them, shells complete files. */
  readonly suggests?: readonly string[] | SuggestedList
}

type ValueOf<O extends Option> = O extends Flag
  ? boolean
  : O extends { readonly kind: 'list' }
    ? readonly ChoiceOf<O>[]
    : ChoiceOf<O> | (O extends { readonly default: string } ? never : undefined)

type ChoiceOf<O> = O extends { readonly choices: readonly (infer C)[] } ? C : string

type WordOf<A extends Argument> = A extends { readonly many: true }
  ? readonly string[]
  : A extends { readonly optional: true }
    ? string | undefined
    : string

/** The parsed arguments of a command: every option and argument by its name. */
export type Arguments<O extends Options, A extends Argument = never> = {
  readonly [N in keyof O]: ValueOf<O[N]>
} & { readonly [One in A as One['name']]: WordOf<One> }

/** Formats the value of an option as its help writes it; empty for a switch. */
export function formatOptionValue(option: Option): string {
  if (option.kind === 'flag') return ''
  return option.alone ? ` [${option.value}]` : ` ${option.value}`
}

/** Lists at the end of the help, each under its title. */
export type HelpLists = readonly (readonly [
  title: string,
  lines: readonly (readonly [left: string, right: string])[],
])[]

/** Declares the name, arguments, options and help of a command, as data. */
export interface Declaration<O extends Options = Options, A extends Argument = Argument> {
  /** One word, or two if the first names a group. */
  readonly name: string
  /** Other names that people type for it. */
  readonly aliases?: readonly string[]
  readonly describe: string
  readonly touches: Touch
  readonly arguments: readonly A[]
  readonly options: O
  /** Command lines without `landform`, each with its purpose. */
  readonly examples: readonly (readonly [commandLine: string, purpose: string])[]
  readonly more?: () => Promise<HelpLists>
}

/** The parsed arguments of the handler of a declaration. */
export type ArgumentsOf<D> = D extends Declaration<infer O, infer A> ? Arguments<O, A> : never

/** Performs a command: prints its output and returns its exit code. */
export type CommandHandler<A> = (argv: A, host: Host) => Promise<ExitCode>

/** A command: its declaration and its handler. */
export interface CommandEntry extends Declaration {
  readonly handle: CommandHandler<never>
}

/** Infers the type of a declaration from its arguments and options. */
export function declare<const O extends Options, const A extends Argument = never>(
  declaration: Declaration<O, A>,
): Declaration<O, A> {
  return declaration
}

/** Pairs a declaration with its handler. */
export function pair<O extends Options, A extends Argument>(
  declaration: Declaration<O, A>,
  handle: CommandHandler<Arguments<O, A>>,
): CommandEntry {
  return { ...declaration, handle }
}

/** Formats the arguments of a command for its usage: `<file>`, `[file]` if it is optional, `<files..>` for several. */
export function formatArguments({ arguments: words }: Pick<Declaration, 'arguments'>): readonly string[] {
  return words.map(({ name, many, optional }) => {
    const written = many === true ? `${name}..` : name
    return optional === true ? `[${written}]` : `<${written}>`
  })
}
