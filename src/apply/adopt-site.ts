import type { RecordedOrganization } from '../plan/situation.js'
import { hasBegun, isPending, type Submission } from '../plan/submission.js'
import type { StateStore } from '../state/ports.js'
import type { Lock, StateContent } from '../state/site-state.js'
import type { StateFailure } from '../state/state-failure.js'
import { withRecord } from './journal.js'

/** The facts that a person asserts of a site that others configured. */
interface Assertion {
  /** The known values; it holds no secret, and no reference to one. */
  readonly value: RecordedOrganization
  /** Digest of the manifest that was written with them. */
  readonly manifest: string
}

/** The result of an adoption. Nothing was written unless it is `adopted`. */
export type Adopted =
  | { readonly kind: 'adopted'; readonly assertedAt: string }
  | { readonly kind: 'recorded-already'; readonly asserted: boolean }
  /** A request of Landform may be under way. */
  | { readonly kind: 'pending'; readonly submission: Submission }
  | { readonly kind: 'locked'; readonly lock: Lock }
  | { readonly kind: 'not-recorded'; readonly failure: StateFailure }

/** Finds the record that keeps a site from being adopted. */
export function findRecorded({
  submission,
  record,
}: StateContent): Exclude<Adopted, { readonly kind: 'adopted' }> | undefined {
  if (submission !== undefined && isPending(submission)) return { kind: 'pending', submission }
  if (record.organization !== undefined || (submission !== undefined && hasBegun(submission)))
    return { kind: 'recorded-already', asserted: record.organization?.asserted === true }
  return undefined
}

/**
 * Records, under the lock of a site, the facts that a person asserts of it. The submission of an adopted site is `ready` from the first,
 * so that no later run ever sends `configure` to it, even where the site no longer shows its configuration.
 */
export async function adoptSite(
  { state, now, nonce }: { readonly state: StateStore; now(): number; nonce(): string },
  { value, manifest }: Assertion,
): Promise<Adopted> {
  const kept = await state.read()
  if (!kept.ok) return { kind: 'not-recorded', failure: kept.error }
  const before = kept.value && findRecorded(kept.value)
  if (before !== undefined) return before
  const taken = await state.take('adopt', content => findRecorded(content) === undefined)
  if (taken.kind === 'locked') return { kind: 'locked', lock: taken.lock }
  if (taken.kind === 'failed') return { kind: 'not-recorded', failure: taken.failure }
  if (taken.kind === 'moved') return { kind: 'recorded-already', asserted: false }
  const { held } = taken
  const assertedAt = new Date(now()).toISOString()
  const organization = { appliedAt: assertedAt, asserted: true, manifest, value } as const
  const submission: Submission = {
    generation: (held.content.submission?.generation ?? 0) + 1,
    nonce: nonce(),
    state: 'ready',
    intendedAt: assertedAt,
    changedAt: assertedAt,
    by: held.lock.holder,
    deadlineMs: 0,
    organization,
  }
  const written = await held.write({ type: 'adopted' }, content => ({
    submission,
    record: withRecord(content.record, { organization, policy: undefined }),
  }))
  // The release repeats the content, so that it counts once either is written.
  const released = await held.release({ type: 'released' })
  if (!written.ok && !released.ok) return { kind: 'not-recorded', failure: released.error }
  return { kind: 'adopted', assertedAt }
}
