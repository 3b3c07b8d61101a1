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

/** The content of `docs/verification.json`: the last result of each check in each form, and what they ran on. */
export interface Kept {
  readonly machine: { readonly cores: number; readonly processor: string; readonly node: string }
  readonly results: readonly KeptResult[]
}

/**
 * What a run has to come to and did not. Figures of one's own are nobody's promise, but a run that looked at nothing, and
 * says no reason, has shown nothing.
 */
export function shortfalls(result: Omit<Result, 'violations' | 'seconds'>): readonly string[] {
  const { name, form, counts, skipped, excused = [] } = result
  const check = checks.find(one => one.name === name)
  if (check === undefined) return ['it is not among the checks']
  if (form === 'own') return skipped.length > 0 || isAnything(counts) ? [] : ['nothing was looked at']
  return Object.entries(check.demands)
    .map(([what, [short, full]]) => ({
      what,
      least: form === 'short' ? short : full,
      came: counts[what] ?? 0,
    }))
    .filter(({ what, least, came }) => came < least && !excused.includes(what))
    .map(({ what, least, came }) => `only ${came} ${what}, and ${least} are asked for`)
}

function isAnything(counts: Result['counts']): boolean {
  return Object.values(counts).some(number => number > 0)
}

/** Whether a result may be kept: nothing was found, and it came to what is asked for. */
export function isGood(result: Result): boolean {
  return result.violations === 0 && shortfalls(result).length === 0
}

/** How a run ended, in a word. */
export function verdictOn({
  violations,
  skipped,
  counts,
}: Pick<Result, 'violations' | 'skipped' | 'counts'>): string {
  if (violations > 0) return 'FAILED'
  if (!isAnything(counts)) return 'not run'
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
