import { fraction } from '../service/random.js'
import type { Calls, When } from './fault.js'

/** What decides whether a rule counts. */
export interface Situation {
  /** How many calls there were, this one counted. */
  readonly call: number
  /** Milliseconds since a place in the course of the configuration; undefined before it, or without a configuration. */
  since(place: NonNullable<When['from']>): number | undefined
  readonly seed: number
  /** Tells rules apart, so that two with the same chance do not always meet together. */
  readonly index: number
}

/** True where a rule counts: a pure function, so that a run with the same seed happens again. */
export function counts(when: When, situation: Situation): boolean {
  return isCalled(when.calls, situation) && isThere(when, situation)
}

function isCalled(calls: Calls, { call, seed, index }: Situation): boolean {
  switch (calls.kind) {
    case 'every':
      return true
    case 'range':
      return call >= calls.first && call <= (calls.last ?? Number.POSITIVE_INFINITY)
    case 'chance':
      return fraction(seed, `${index}/${call}`) < calls.share
    default:
      return calls satisfies never
  }
}

function isThere({ from, forMs = Number.POSITIVE_INFINITY }: When, { since }: Situation): boolean {
  if (from === undefined) return true
  const elapsed = since(from)
  return elapsed !== undefined && elapsed < forMs
}
