import { isPolicyPart } from '../plan/fields/known.js'
import type { ApplyRecord } from '../plan/situation.js'
import type { StageTiming, Submission, SubmissionState } from '../plan/submission.js'
import type { StateContent, StateEntry } from '../state/site-state.js'

/** Builds the journal entry for a submission whose state changed. */
export function buildSubmissionEntry(state: SubmissionState): StateEntry {
  return { type: 'submission', state }
}

/**
 * Adds a submission intent to the content, and removes from the record the fields that the request is about to change: the
 * record never claims more than is known.
 */
export function withIntent(content: StateContent, submission: Submission): StateContent {
  const { timings } = content.submission ?? {}
  return {
    // The timings of the previous configuration are the estimate for this one.
    submission: { ...(timings !== undefined && { timings }), ...submission },
    record: withRecord(content.record, { organization: undefined, policy: undefined }),
  }
}

const maxCharacters = 1000

/** Truncates a text of the service, since every later version of the state repeats it. */
export function truncateReason(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

const withheldReason = '[withheld]'

/**
 * Returns the message about a `configure` that the state keeps. If another run sent the request, it is a placeholder: the
 * site may repeat secrets that have been replaced since, and that this run cannot redact.
 */
export function selectKeptMessage(message: string, isSender: boolean): string {
  return isSender || message === '' ? message : withheldReason
}

interface StateChange {
  readonly state: SubmissionState
  /** Milliseconds since 1970. */
  readonly now: number
  readonly reason?: string
  readonly rejection?: Submission['rejection']
  readonly site?: Submission['site']
  readonly timings?: readonly StageTiming[]
}

/** Changes the state of the submission, if there is one; otherwise another program configured the site. */
export function withSubmissionState(
  content: StateContent,
  { state, now, reason, rejection, site, timings }: StateChange,
): StateContent {
  const { submission, record } = content
  if (submission === undefined) return content
  const changedAt = new Date(now).toISOString()
  const known = state === 'acknowledged' || state === 'begun' || state === 'ready'
  // A failed site may be fixed by hand, and then has other fields than those that failed.
  const intended =
    submission.state === 'failed' ? undefined : { ...submission.organization, appliedAt: changedAt }
  const organization = known ? (record.organization ?? intended) : undefined
  const policy = known ? record.policy : undefined
  return {
    submission: {
      ...submission,
      state,
      changedAt,
      ...(reason !== undefined && { reason: truncateReason(reason) }),
      ...(rejection !== undefined && { rejection }),
      ...(site !== undefined && { site }),
      ...(timings !== undefined && { timings }),
    },
    record: withRecord(record, { organization, policy }),
  }
}

type RecordChanges = {
  readonly [K in 'organization' | 'policy' | 'plan' | 'assertions']?: ApplyRecord[K] | undefined
}

/**
 * Returns the record with parts replaced, or removed if they are `undefined`; the same object if nothing changes. Removes a
 * person's assertions about replaced parts.
 */
export function withRecord(record: ApplyRecord, changes: RecordChanges): ApplyRecord {
  const names = Object.keys(changes) as (keyof typeof changes)[]
  if (names.every(name => record[name] === changes[name])) return record
  const replaced = names.filter(name => record[name] !== changes[name])
  const assertions = record.assertions?.filter(
    ({ pointer }) => !replaced.includes(isPolicyPart(pointer) ? 'policy' : 'organization'),
  )
  const kept = { ...record, assertions: assertions?.length === 0 ? undefined : assertions }
  const next = Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== undefined)
  return { ...(Object.fromEntries(next) as unknown as ApplyRecord), serial: record.serial + 1 }
}
