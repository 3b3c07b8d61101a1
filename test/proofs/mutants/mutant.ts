/** A wrong program: a text of the sources is another, and a suite is to find that. */
export interface Mutant {
  /** From the root of the project. */
  readonly file: string
  /** Stands in the file once. */
  readonly from: string
  readonly to: string
  /** What finds it: `jest` with a test file and what else Jest is told, or a check with its words. */
  readonly by: readonly [suite: string, ...words: string[]]
  /** Tried by the short form, too. */
  readonly isShort?: true
}

export type Mutants = Readonly<Record<string, Mutant>>

/** How often a text stands in another. */
export function occurrences(text: string, part: string): number {
  return text.split(part).length - 1
}

/** The source with the mistake in it. */
export function withMistake(source: string, { from, to }: Mutant): string {
  // As a function, for in a text a dollar sign would stand for something else.
  return source.replace(from, () => to)
}
