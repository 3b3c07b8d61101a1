import { plan } from '../../src/plan/planner.js'
import { assumeObservation, emptyRecord } from '../../src/plan/situation.js'
import type { SubmissionState } from '../../src/plan/submission.js'
import { aSituation } from '../support/a-plan.js'
import { aSubmission } from '../support/a-submission.js'

test.each<[SubmissionState, string]>([
  ['intent', 'resume'],
  ['not-sent', 'create'],
  ['rejected', 'create'],
  ['acknowledged', 'resume'],
  ['unknown', 'resume'],
  ['begun', 'resume'],
  ['ready', 'no-op'],
  ['failed', 'site-failed'],
  ['cleared', 'create'],
])('without polling, a site whose configuration is %s gets the step %s', (state, step) => {
  const submission = aSubmission({ state })
  const kept = { record: { ...emptyRecord, serial: 1 }, submission }
  const planned = plan(aSituation({ ...kept, observed: assumeObservation(kept) }))
  expect(planned.ok ? planned.value.actions[0]?.change : planned.error.kind).toBe(step)
  if (planned.ok) expect(planned.value.binds.site.state).toBe('not-observed')
})
