import {
  buildSubmissionEntry,
  truncateReason,
  withIntent,
  withRecord,
  withSubmissionState,
} from '../../src/apply/journal.js'
import type { ApplyRecord } from '../../src/plan/situation.js'
import type { SubmissionState } from '../../src/plan/submission.js'
import { aPolicy } from '../support/a-manifest.js'
import { aSubmission } from '../support/a-submission.js'

const now = Date.parse('2026-03-04T06:00:00.000Z')
const at = new Date(now).toISOString()
const organization = {
  appliedAt: '2026-01-01T00:00:00.000Z',
  manifest: `sha256:${'b'.repeat(64)}`,
  value: {},
}
const policy = { appliedAt: '2026-01-01T00:00:00.000Z', value: aPolicy() }
const plan = { id: 'sha256:c', usedAt: '2026-01-01T00:00:00.000Z' }
const full: ApplyRecord = { serial: 7, organization, policy, plan }

const states = [
  'intent',
  'not-sent',
  'acknowledged',
  'unknown',
  'rejected',
  'begun',
  'ready',
  'failed',
  'cleared',
] as const

/** The states in which the site has the organization of the submission. */
const known: readonly SubmissionState[] = ['acknowledged', 'begun', 'ready']

test('an entry names the state that was reached', () => {
  expect(buildSubmissionEntry('begun')).toStrictEqual({ type: 'submission', state: 'begun' })
})

test('writing an intent removes from the record only what the request is about to change', () => {
  const submission = aSubmission()
  expect(withIntent({ record: full }, submission)).toStrictEqual({ submission, record: { serial: 8, plan } })
  const timings = [{ stage: 'Queue store', beganMs: 1, endedMs: 2 }]
  const former = aSubmission({ state: 'rejected', timings })
  expect(withIntent({ submission: former, record: full }, submission).submission).toStrictEqual({
    ...submission,
    timings,
  })
  const nothing = { serial: 0 }
  expect(withIntent({ record: nothing }, submission).record).toBe(nothing)
})

describe('a submission that changes its state', () => {
  test.each(states)('to %s has that state, and the record claims what is then known', state => {
    const submission = aSubmission()
    const after = withSubmissionState({ submission, record: { serial: 3, policy } }, { state, now })
    expect(after.submission).toStrictEqual({ ...submission, state, changedAt: at })
    expect(after.record).toStrictEqual(
      known.includes(state)
        ? { serial: 4, policy, organization: { ...submission.organization, appliedAt: at } }
        : { serial: 4 },
    )
  })

  test.each(known)('to %s keeps the recorded organization', state => {
    expect(withSubmissionState({ submission: aSubmission(), record: full }, { state, now }).record).toBe(full)
  })

  test('from failed records no organization: the site may have been repaired by hand', () => {
    const submission = aSubmission({ state: 'failed' })
    expect(
      withSubmissionState({ submission, record: { serial: 3 } }, { state: 'ready', now }).record,
    ).toStrictEqual({
      serial: 3,
    })
  })

  test('keeps the reason, truncated, and the times of the stages, if they are given', () => {
    const timings = [{ stage: 'Queue store', beganMs: 1, endedMs: 2 }]
    const submission = aSubmission({ reason: 'earlier', timings: [] })
    const told = withSubmissionState(
      { submission, record: full },
      { state: 'ready', now, reason: 'x'.repeat(2000), timings },
    )
    expect(told.submission).toMatchObject({ reason: `${'x'.repeat(1000)}…`, timings })
    const silent = withSubmissionState({ submission, record: full }, { state: 'ready', now })
    expect(silent.submission).toMatchObject({ reason: 'earlier', timings: [] })
    const bare = withSubmissionState(
      { submission: aSubmission(), record: full },
      { state: 'ready', now },
    ).submission
    expect(Object.keys(bare ?? {})).not.toStrictEqual(expect.arrayContaining(['timings']))
    expect(Object.keys(bare ?? {})).not.toStrictEqual(expect.arrayContaining(['reason']))
  })

  test('is not created if the site was configured by others', () => {
    const content = { record: full }
    expect(withSubmissionState(content, { state: 'begun', now })).toBe(content)
  })
})

test('a reason of the maximum length is kept whole', () => {
  expect(truncateReason('x'.repeat(1000))).toBe('x'.repeat(1000))
  expect(truncateReason('x'.repeat(1001))).toBe(`${'x'.repeat(1000)}…`)
})

describe('a record', () => {
  test('is the same object if nothing changes', () => {
    expect(withRecord(full, { policy })).toBe(full)
    expect(withRecord(full, {})).toBe(full)
  })

  test('keeps the assertions about parts that are written unchanged', () => {
    const assertions = [{ pointer: '/spec/license', assertedAt: at }] as const
    const changed = { organization, policy: { ...policy, appliedAt: at } }
    expect(withRecord({ ...full, assertions }, changed)).toMatchObject({ serial: 8, assertions })
  })

  test('has the next serial after a change, and no keys without a value', () => {
    expect(withRecord(full, { policy: undefined })).toStrictEqual({ serial: 8, organization, plan })
    expect(Object.keys(withRecord(full, { policy: undefined }))).not.toContain('policy')
    expect(withRecord({ serial: 0 }, { plan })).toStrictEqual({ serial: 1, plan })
    expect(withRecord(full, { policy, plan: { ...plan, id: 'sha256:d' } })).toMatchObject({
      serial: 8,
      policy,
    })
  })
})
