import { type Check, checks, type Form } from './checks.js'

/** What one run of a check found, as it says itself. */
export interface Result {
  readonly name: string
  /** A run whose figures somebody chose is neither short nor full. */
  readonly form: Form | 'own'
  readonly seed?: number
  readonly counts: Readonly<Record<string, number>>
  /** What was not looked at, and why. */
  readonly skipped: readonly string[]
  readonly violations: number
  readonly seconds: number
}

/** A result with where it comes from. */
export interface KeptResult extends Result {
  readonly form: Form
  readonly date: string
  /** The commit that was checked, as git abbreviates it. */
  readonly commit: string
}

/** The content of `docs/verification.json`: the last result of each check in each form, and what they ran on. */
export interface Kept {
  readonly machine: { readonly cores: number; readonly processor: string; readonly node: string }
  readonly results: readonly KeptResult[]
}

/** How a run ended, in a word. */
export function verdictOn({ violations, skipped }: Pick<Result, 'violations' | 'skipped'>): string {
  if (violations > 0) return 'FAILED'
  return skipped.length > 0 ? 'in part' : 'ok'
}

/** What was counted, in one line. */
export function countsIn({ counts }: Pick<Result, 'counts'>): string {
  return Object.entries(counts)
    .map(([what, number]) => `${number.toLocaleString('en')} ${what}`)
    .join(', ')
}

/** The results with newer ones in the places of their forerunners, in the order of the checks. */
export function renewed(old: readonly KeptResult[], newer: readonly KeptResult[]): readonly KeptResult[] {
  const isSame = (one: KeptResult) => (other: KeptResult) =>
    one.name === other.name && one.form === other.form
  const all = [...old.filter(one => !newer.some(isSame(one))), ...newer]
  return checks.flatMap(({ name }) => all.filter(one => one.name === name))
}

/** How many minutes and seconds. */
export function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The last result of a check in one form. */
export function resultOf({ name }: Check, form: Form, { results }: Kept): KeptResult | undefined {
  return results.find(one => one.name === name && one.form === form)
}
