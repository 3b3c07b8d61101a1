import type { ExitCode } from './exit-code.js'
import type { Host } from './host.js'

/**
 * How far a command reaches: files only, a site to read it, a site or what is kept about it to change that, a port of this
 * machine, an emulated site in the same process, or the database of a fleet.
 */
export type Touch = 'nothing' | 'looks' | 'changes' | 'serves' | 'rehearses' | 'fleet'

/** A command of the table; loaded only when it is used, so that a lint does not load what talks to a site. */
export interface Entry extends Listed {
  readonly touches: Touch
  load(): Promise<Command>
}

/** One line of the list of commands. */
export interface Listed {
  readonly name: string
  /** The words after the name, such as `<file>`. */
  readonly usage: string
  readonly summary: string
}

/** A switch that is on or off. */
interface Flag {
  readonly kind: 'flag'
  readonly short?: string
  readonly describe: string
}

/** An option with a value; `list` ones may be given several times. */
interface Valued {
  readonly kind: 'text' | 'list'
  /** What the value is called in the help. */
  readonly value: string
  readonly short?: string
  readonly choices?: readonly string[]
  /** Values that completion offers, where others may be given, too. */
  readonly suggests?: readonly string[]
  readonly default?: string
  readonly describe: string
}

export type Option = Flag | Valued
export type Options = { readonly [name: string]: Option }

/** A word of the command line that is no option. */
export interface Argument {
  readonly name: string
  readonly many?: true
  readonly optional?: true
  readonly describe: string
  /** Words that completion offers; files where the argument is called so. */
  suggests?(): readonly string[]
}

type ValueOf<O extends Option> = O extends Flag
  ? boolean
  : O extends { readonly kind: 'list' }
    ? readonly string[]
    : ChoiceOf<O> | (O extends { readonly default: string } ? never : undefined)

type ChoiceOf<O> = O extends { readonly choices: readonly (infer C)[] } ? C : string

type WordOf<A extends Argument> = A extends { readonly many: true }
  ? readonly string[]
  : A extends { readonly optional: true }
    ? string | undefined
    : string

/** What a command gets of its command line: every option and argument by its name. */
export type Arguments<O extends Options, A extends Argument> = {
  readonly [N in keyof O]: ValueOf<O[N]>
} & { readonly [One in A as One['name']]: WordOf<One> }

/** One command: its words and options, and what it does. It prints by itself and answers with its exit code. */
export interface Command<O extends Options = Options, A extends Argument = Argument> {
  readonly arguments: readonly A[]
  readonly options: O
  /** Command lines without `landform`, each with what it is for. */
  readonly examples: readonly (readonly [commandLine: string, purpose: string])[]
  /** Lists that the help shows last, each under its title. */
  readonly more?: readonly (readonly [
    title: string,
    lines: readonly (readonly [left: string, right: string])[],
  ])[]
  run(argv: Arguments<O, A>, host: Host): Promise<ExitCode>
}

/** Gives a command its type from its words and options, so that `run` sees just what was declared. */
export function command<const O extends Options, const A extends Argument = never>(
  definition: Command<O, A>,
): Command<O, A> {
  return definition
}
