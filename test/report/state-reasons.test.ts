import type { DrainCount } from '../../src/apply/drain.js'
import { endOfClearing } from '../../src/report/endings/cleared.js'
import { describeEnd } from '../../src/report/endings/ending.js'
import { causeOfState } from '../../src/report/endings/state.js'
import { describeStateReason } from '../../src/report/state-reasons.js'
import type { StateReason } from '../../src/state/state-failure.js'
import { aSubmission } from '../support/a-submission.js'

test.each<[StateReason, string]>([
  [
    { kind: 's3', cause: 'ignores-conditions' },
    'so two runs could both hold a site: keep the state elsewhere',
  ],
  [
    { kind: 'kubernetes', cause: 'ignores-conditions' },
    'so two runs could both hold a site: keep the state elsewhere',
  ],
  [{ kind: 's3', cause: 'lost-write' }, 'the server confirmed a write but did not keep it'],
  [{ kind: 'kubernetes', cause: 'lost-write' }, 'the server confirmed a Secret but did not keep it'],
  [{ kind: 's3', cause: 418 }, 'the server responded with HTTP 418'],
  [
    { kind: 'missing-request', nonce: 'a1b2', recordedIn: 'quickstart' },
    'its newest versions are missing: the configure a1b2, which quickstart names, is not in it',
  ],
  [{ kind: 'intent-missing', where: 'file:one' }, 'with state in file:one, and this copy does not have it'],
  [
    { kind: 'not-arrived', to: { state: 'file:there' }, found: 'other-history' },
    'it moved to file:there, where this run finds another history of the site',
  ],
  [{ kind: 'broken-chain', serial: 2 }, 'version 2 does not follow the one before it'],
])('the reason of a state failure is a clause: %j', (reason, words) => {
  expect(describeStateReason(reason)).toContain(words)
})

test.each<[DrainCount, string]>([
  ['begins', 'for 15m 00s, counting from now'],
  ['begins-anew', 'counting from now: the count was started by another machine'],
  ['goes-on', 'the request may still arrive for 15m 00s'],
  ['goes-on-by-site', 'by the clock of the site: less time has passed'],
])('a request that may still arrive has its remaining time, with a count that %s', (count, words) => {
  const end = { kind: 'too-early', submission: aSubmission({}), remainingMs: 900_000, count } as const
  expect(describeEnd(endOfClearing(end))).toContain(words)
})

test('the next step for a state without the intent is to use the newest state', () => {
  const reason = { kind: 'intent-missing', where: 'file:one' } as const
  const { fix } = causeOfState({ kind: 'promised-elsewhere', where: 'one.json', reason })
  expect(`${fix(undefined)}`).toContain('restore the newest state in that location')
})

test('a single failed poll is quoted by itself', () => {
  const lost = { looks: 1, failure: { kind: 'unauthorized', status: 401, message: 'No' } } as const
  const words = describeEnd(endOfClearing({ kind: 'unproven', lost }))
  expect(words).toContain('nothing was discarded: authentication failed: No')
})
