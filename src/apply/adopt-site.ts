import type { ApplyRecord, Assertion } from '../plan/situation.js'
import { hasBegun, isPending, type Submission } from '../plan/submission.js'
import type { StateStore } from '../state/ports.js'
import type { Lock, StateContent } from '../state/site-state.js'
import type { StateFailure } from '../state/state-failure.js'
import { withRecord } from './journal.js'

/** The facts that a person asserts about a site, and the record that they may replace. */
export interface Adoption extends Pick<Assertion, 'by' | 'reason'> {
  readonly parts: readonly Assertion['pointer'][]
  /** `parts` replaces the asserted parts of any record. */
  readonly replaces: 'nothing' | 'assertion' | 'parts'
  /** Computes the adopted parts of the record, without secret values. */
  record(
    before: ApplyRecord,
    assertedAt: string,
  ): Pick<ApplyRecord, 'assertions'> & {
    readonly [K in 'organization' | 'policy']: ApplyRecord[K] | undefined
  }
}

/** The result of an adoption. Nothing was written unless it is `adopted`. */
export type Adopted =
  | { readonly kind: 'adopted'; readonly assertedAt: string; readonly record: ApplyRecord }
  | { readonly kind: 'recorded-already'; readonly asserted: boolean }
  /** A request of Landform may be under way. */
  | { readonly kind: 'pending'; readonly submission: Submission }
  | { readonly kind: 'locked'; readonly lock: Lock }
  | { readonly kind: 'not-recorded'; readonly failure: StateFailure }

/** Returns the reason why a site cannot be adopted, if there is one: a pending request, or an existing record. */
export function findRecorded(
  { submission, record: { organization } }: StateContent,
  replaces: Adoption['replaces'],
): Exclude<Adopted, { readonly kind: 'adopted' }> | undefined {
  if (submission !== undefined && isPending(submission)) return { kind: 'pending', submission }
  const asserted = organization?.asserted === true
  const isRecorded = {
    nothing: organization !== undefined || (submission !== undefined && hasBegun(submission)),
    assertion: organization !== undefined && !asserted,
    parts: false,
  }[replaces]
  return isRecorded ? { kind: 'recorded-already', asserted } : undefined
}

/**
 * Records, under the lock of a site, the facts that a person asserts about it. The submission of an adopted site starts as
 * `ready`, so no later run sends `configure` to it, even if the site no longer shows its configuration.
 */
export async function adoptSite(
  { state, now, nonce }: { readonly state: StateStore; now(): number; nonce(): string },
  { parts, replaces, by, reason, record }: Adoption,
): Promise<Adopted> {
  const kept = await state.read()
  if (!kept.ok) return { kind: 'not-recorded', failure: kept.error }
  const before = kept.value && findRecorded(kept.value, replaces)
  if (before !== undefined) return before
  const taken = await state.take('adopt', content => findRecorded(content, replaces) === undefined)
  if (taken.kind === 'locked') return { kind: 'locked', lock: taken.lock }
  if (taken.kind === 'failed') return { kind: 'not-recorded', failure: taken.failure }
  if (taken.kind === 'moved') return { kind: 'recorded-already', asserted: false }
  const { held } = taken
  const assertedAt = new Date(now()).toISOString()
  const { submission: last, record: recorded } = held.content
  const changes = record(recorded, assertedAt)
  const { organization } = changes
  const begun = last !== undefined && hasBegun(last) ? last : undefined
  const submission: Submission | undefined =
    organization?.asserted === true && organization !== recorded.organization
      ? {
          generation: (last?.generation ?? 0) + 1,
          nonce: nonce(),
          intendedAt: assertedAt,
          by: held.lock.holder,
          deadlineMs: 0,
          ...begun,
          state: 'ready',
          changedAt: assertedAt,
          organization,
        }
      : last
  const who = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) }
  const written = await held.write({ type: 'adopted', ...who, parts }, content => ({
    ...(submission !== undefined && { submission }),
    record: withRecord(content.record, changes),
  }))
  // The release repeats the content, so the adoption counts if either is written.
  const released = await held.release({ type: 'released' })
  if (!written.ok && !released.ok) return { kind: 'not-recorded', failure: released.error }
  return { kind: 'adopted', assertedAt, record: held.content.record }
}
