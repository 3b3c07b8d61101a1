import type { Result } from '../../result.js'
/** How one kind of fault is written. */
export interface Word<F> {
  /** As people read it. */
  readonly form: string
  readonly meaning: string
  /** What follows the kind. */
  readonly pattern: string
  /** Undefined where the parts have the form and yet make no fault. */
  make(groups: Readonly<Record<string, string | undefined>>): F | undefined
}

/** How every kind is written; a new kind does not compile without. */
export type Words<F extends { readonly kind: string }> = {
  readonly [K in F['kind']]: Word<F & { readonly kind: K }>
}

/** A value, or one sentence about what was written instead of it. */
export type Parsed<T> = Result<T, Misspelling>

/** Why a word is no part of a rule, and what it was near to. */
export interface Misspelling {
  readonly problem: string
  readonly near?: Near
}

/** A word that is none, and those that would do. */
export interface Near {
  readonly written: string
  readonly choices: readonly string[]
}

/** Reads what goes wrong by the words of one table. */
export function parseFault<F extends { readonly kind: string }>(text: string, words: Words<F>): Parsed<F> {
  const table = new Map<string, Word<F>>(Object.entries<Word<F>>(words))
  // `wrong-shape` has a hyphen of its own.
  const kinds = [...table.keys()]
  const [written = ''] = text.split(/[:,]/, 1)
  const kind = kinds.find(name => written === name || written.startsWith(`${name}-`))
  const word = table.get(kind ?? '')
  if (kind === undefined || word === undefined)
    return {
      ok: false,
      error: { problem: `\`${written}\` is no fault here`, near: { written, choices: kinds } },
    }
  const match = new RegExp(`^${kind}${word.pattern}$`).exec(text)
  const value = match === null ? undefined : word.make(match.groups ?? {})
  if (value === undefined)
    return { ok: false, error: { problem: `\`${text}\` is not written ${word.form}: ${word.meaning}` } }
  return { ok: true, value }
}
