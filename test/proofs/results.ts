import type { Check, Form } from './check.js'

/** What one run of a check found. */
export interface Result {
  readonly name: string
  /** `own` where somebody chose how much was tried. */
  readonly form: Form | 'own'
  readonly seed?: number
  readonly counts: Readonly<Record<string, number>>
  /** What was not checked, and why. */
  readonly skipped: readonly string[]
  /** The counters that may come to less for it. */
  readonly excused?: readonly string[]
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

/** The content of `docs/verification.json`: the last result of each check in each form, and the machine. */
export interface Kept {
  readonly machine: { readonly cores: number; readonly processor: string; readonly node: string }
  readonly results: readonly KeptResult[]
}

/**
 * The counters that a run left below their minimum. A run whose figures somebody chose has no minimum, but one that checked
 * nothing, and names no reason, has shown nothing.
 */
export function shortfalls(
  { counts: minimums }: Pick<Check, 'counts'>,
  { form, counts, skipped, excused = [] }: Omit<Result, 'violations' | 'seconds'>,
): readonly string[] {
  if (form === 'own') return skipped.length > 0 || isAnything(counts) ? [] : ['nothing was checked']
  return Object.entries(minimums)
    .map(([what, [short, full]]) => ({
      what,
      least: form === 'short' ? short : full,
      came: counts[what] ?? 0,
    }))
    .filter(({ what, least, came }) => came < least && !excused.includes(what))
    .map(({ what, least, came }) => `only ${came} ${what}, at least ${least} expected`)
}

function isAnything(counts: Result['counts']): boolean {
  return Object.values(counts).some(number => number > 0)
}

/** Whether a result may be kept: nothing was found, and every counter reached its minimum. */
export function isGood(check: Pick<Check, 'counts'>, result: Result): boolean {
  return result.violations === 0 && shortfalls(check, result).length === 0
}

/** The end of a run in a word. */
export function verdictOn({
  violations,
  skipped,
  counts,
}: Pick<Result, 'violations' | 'skipped' | 'counts'>): string {
  if (violations > 0) return 'FAILED'
  if (!isAnything(counts)) return 'not run'
  return skipped.length > 0 ? 'in part' : 'ok'
}

/** All counters in one line. */
export function formatCounts({ counts }: Pick<Result, 'counts'>): string {
  return Object.entries(counts)
    .map(([what, number]) => `${number.toLocaleString('en')} ${what}`)
    .join(', ')
}

/** The results with newer ones in the places of older ones, in the order of the checks. */
export function mergeResults(
  checkNames: readonly string[],
  old: readonly KeptResult[],
  newer: readonly KeptResult[],
): readonly KeptResult[] {
  const isSame = (one: KeptResult) => (other: KeptResult) =>
    one.name === other.name && one.form === other.form
  const all = [...old.filter(one => !newer.some(isSame(one))), ...newer]
  return checkNames.flatMap(name => all.filter(one => one.name === name))
}

/** Minutes and seconds. */
export function formatDuration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The last result of a check in one form. */
export function resultOf(name: string, form: Form, { results }: Kept): KeptResult | undefined {
  return results.find(one => one.name === name && one.form === form)
}
