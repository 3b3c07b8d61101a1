import { computeFraction } from '../service/random.js'
import type { Calls, FaultCondition } from './fault.js'

/** The facts that decide whether a rule applies. */
export interface CallSituation {
  /** The number of calls so far, including this one. */
  readonly call: number
  /** Milliseconds since a place of the configuration; undefined before it, or without a configuration. */
  since(place: NonNullable<FaultCondition['from']>): number | undefined
  readonly seed: number
  /** The index of the rule, so that two rules with the same chance do not always apply together. */
  readonly index: number
}

/** True if a rule applies: a pure function, so that a run with the same seed is reproducible. */
export function appliesNow(when: FaultCondition, situation: CallSituation): boolean {
  return isCalled(when.calls, situation) && isThere(when, situation)
}

function isCalled(calls: Calls, { call, seed, index }: CallSituation): boolean {
  switch (calls.kind) {
    case 'every':
      return true
    case 'range':
      return call >= calls.first && call <= (calls.last ?? Number.POSITIVE_INFINITY)
    case 'chance':
      return computeFraction(seed, `${index}/${call}`) < calls.share
    default:
      return calls satisfies never
  }
}

function isThere(
  { from, forMs = Number.POSITIVE_INFINITY }: FaultCondition,
  { since }: CallSituation,
): boolean {
  if (from === undefined) return true
  const elapsed = since(from)
  return elapsed !== undefined && elapsed < forMs
}
