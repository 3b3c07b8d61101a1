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
  ['is whole at first', after(0), drain, {}, 15, 'goes-on'],
  ['is shorter after a minute', after(1), drain, {}, 14, 'goes-on'],
  ['is that of a longer deadline', after(1), drain, { deadlineMs: 40 * minuteMs }, 39, 'goes-on'],
  ['is over for a request that was answered', after(0), undefined, { state: 'rejected' }, 0, 'goes-on'],
  ['ignores a site that had no date at first', after(1, 60), drain, {}, 14, 'goes-on'],
  [
    'is that of a site on which no time has passed',
    after(1, 0),
    { ...drain, siteDate },
    {},
    15,
    'goes-on-by-site',
  ],
  [
    'is the same if as much time has passed on the site',
    after(1, 1),
    { ...drain, siteDate },
    {},
    14,
    'goes-on',
  ],
  [
    'is that of this machine if more time has passed on the site',
    after(1, 10),
    { ...drain, siteDate },
    {},
    14,
    'goes-on',
  ],
  ['is over once it has passed on the site as well', after(60, 20), { ...drain, siteDate }, {}, 0, 'goes-on'],
])('the remaining time %s', (_, moment, noted, changes, minutes, count) => {
  const submission = aSubmission({
    state: 'unknown',
    deadlineMs: 1000,
    ...(noted && { drain: noted }),
    ...changes,
  })
  expect(computeDrain(submission, moment)).toStrictEqual({ remainingMs: minutes * minuteMs, count })
})
