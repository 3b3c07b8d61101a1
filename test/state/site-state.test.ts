import type { SubmissionState } from '../../src/plan/submission.js'
import { type StateContent, selectContent, wasSeenReady } from '../../src/state/site-state.js'
import { aSubmission } from '../support/a-submission.js'

const { organization } = aSubmission()
const policy = { appliedAt: organization.appliedAt, value: { nodeAffinity: {}, tolerations: [] } }

test.each<[string, StateContent['record'], boolean]>([
  ['no record', { serial: 0 }, false],
  ['an organization', { serial: 1, organization }, true],
  ['a placement policy', { serial: 1, policy }, true],
  ['both', { serial: 2, organization, policy }, true],
])(
  'a site without a request was seen ready only if anything was applied or asserted: %s',
  (_, record, was) => {
    expect(wasSeenReady({ record })).toBe(was)
  },
)

test.each<[SubmissionState, boolean]>([
  ['intent', false],
  ['acknowledged', false],
  ['unknown', false],
  ['begun', false],
  ['failed', false],
  ['cleared', false],
  ['ready', true],
])('a site with a request in the state %s was seen ready: %s, whatever the record has', (state, was) => {
  const submission = aSubmission({ state })
  expect(wasSeenReady({ submission, record: { serial: 0 } })).toBe(was)
  expect(wasSeenReady({ submission, record: { serial: 1, organization } })).toBe(was)
})

test('a site without versions has the empty content', () => {
  expect(selectContent(undefined)).toEqual({ record: { serial: 0 } })
})
