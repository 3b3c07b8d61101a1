import { computeDrain, type Moment } from '../../src/apply/drain.js'
import type { Submission } from '../../src/plan/submission.js'
import { aSubmission } from '../support/a-submission.js'

const minuteMs = 60_000
const start = Date.UTC(2026, 0, 2, 3, 4, 5)
const siteDate = new Date(start).toISOString()
const drain = { since: { of: 'one', ms: 0 }, notedAt: siteDate }
const after = (minutes: number, bySite?: number): Moment => ({
  machine: { of: 'one', ms: minutes * minuteMs },
  // The dates of a site are counted as five seconds later.
  ...(bySite !== undefined && { siteMs: start + bySite * minuteMs - 5000 }),
})

test.each<[string, Moment, Submission['drain'], Partial<Submission>, number, string]>([
  ['at once', after(0), drain, {}, 15, 'goes-on'],
  ['after a minute', after(1), drain, {}, 14, 'goes-on'],
  ['of a longer deadline', after(1), drain, { deadlineMs: 40 * minuteMs }, 39, 'goes-on'],
  ['of a request that was answered', after(0), undefined, { state: 'rejected' }, 0, 'goes-on'],
  ['by a site that had no date', after(1, 60), drain, {}, 14, 'goes-on'],
  ['by a site for which no time has passed', after(1, 0), { ...drain, siteDate }, {}, 15, 'goes-on-by-site'],
  ['by a site for which as much has passed', after(1, 1), { ...drain, siteDate }, {}, 14, 'goes-on'],
  ['by a site for which more has passed', after(1, 10), { ...drain, siteDate }, {}, 14, 'goes-on'],
  ['by a site for which all has passed', after(60, 20), { ...drain, siteDate }, {}, 0, 'goes-on'],
])('the time %s', (_, moment, noted, changes, minutes, count) => {
  const submission = aSubmission({
    state: 'unknown',
    deadlineMs: 1000,
    ...(noted && { drain: noted }),
    ...changes,
  })
  expect(computeDrain(submission, moment)).toStrictEqual({ remainingMs: minutes * minuteMs, count })
})
