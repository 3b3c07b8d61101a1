import type { Result } from '../../result.js'

/** The notation of one kind of fault. */
export interface Word<F> {
  /** The notation for help texts. */
  readonly form: string
  readonly meaning: string
  /** The pattern of the text after the kind. */
  readonly pattern: string
  /** Undefined if the text matches the pattern but is not a valid fault. */
  make(groups: Readonly<Record<string, string | undefined>>): F | undefined
}

/** The notation of every kind; a new kind does not compile without one. */
export type Words<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: Word<F & { readonly kind: K }>
}

/** A value, or the problem of the text. */
export type ParsedWord<T> = Result<T, Misspelling>

/** The problem of a word in a rule, and the valid words that resemble it. */
export interface Misspelling {
  readonly problem: string
  readonly near?: NearMiss
}

/** An invalid word, and the valid ones. */
interface NearMiss {
  readonly written: string
  readonly choices: readonly string[]
}

/** Parses a fault with one table of notations. */
export function parseFault<F extends { readonly kind: string }>(
  text: string,
  words: Words<F>,
): ParsedWord<F> {
  const table = new Map<string, Word<F>>(Object.entries<Word<F>>(words))
  // `wrong-shape` contains a hyphen itself.
  const kinds = [...table.keys()]
  const [written = ''] = text.split(/[:,]/, 1)
  const kind = kinds.find(name => written === name || written.startsWith(`${name}-`))
  const word = table.get(kind ?? '')
  if (kind === undefined || word === undefined)
    return {
      ok: false,
      error: {
        problem: `\`${written}\` is not a fault that is allowed here`,
        near: { written, choices: kinds },
      },
    }
  const match = new RegExp(`^${kind}${word.pattern}$`).exec(text)
  const value = match === null ? undefined : word.make(match.groups ?? {})
  if (value === undefined)
    return {
      ok: false,
      error: { problem: `\`${text}\` does not have the form ${word.form} (${word.meaning})` },
    }
  return { ok: true, value }
}
