import type { Outcome } from '../../src/apply/outcome.js'
import type { EndState } from '../../src/plan/run-state.js'
import { describeOutcome, endStateOf, exitCodeOf, findSent } from '../../src/report/outcomes.js'
import type { Sent } from '../../src/report/sent.js'
import { aSubmission } from '../support/a-submission.js'

const gone = { kind: 'not-sent', cause: 'connection', reason: 'ECONNREFUSED' } as const
const no = { kind: 'refused', status: 400, code: 400, message: 'No' } as const
const unwritable = { kind: 'unwritable', where: 'kept', reason: { kind: 'not-a-folder' } } as const
const lock = {
  nonce: 'a1',
  fence: 1,
  holder: { host: 'ci', pid: 1, machine: 'm', startedAt: 'now' },
  purpose: 'apply',
  since: 'now',
}

test.each<[Outcome, number, Sent, EndState]>([
  [{ kind: 'done' }, 0, 'something', 'done'],
  [{ kind: 'in-progress', because: 'timeout', failure: gone }, 3, 'something', 'unfinished'],
  [{ kind: 'in-progress', because: 'not-allowed' }, 77, 'something', 'refused'],
  [{ kind: 'unknown', operation: 'configure', reason: 'not-confirmed' }, 4, 'perhaps', 'ambiguous'],
  [{ kind: 'unknown', operation: 'update', reason: 'not-confirmed' }, 4, 'perhaps', 'failed'],
  [{ kind: 'locked', lock, liveness: 'alive' }, 7, 'nothing', 'unfinished'],
  [{ kind: 'rejected-before', submission: aSubmission({}) }, 4, 'nothing', 'ambiguous'],
  [{ kind: 'site-failed', message: 'No', stages: [] }, 5, 'something', 'failed'],
  [{ kind: 'replaced', because: { kind: 'not-configured-any-more' } }, 6, 'something', 'ambiguous'],
  [{ kind: 'not-taken', operation: 'configure', failure: gone }, 69, 'nothing', 'failed'],
  [{ kind: 'not-taken', operation: 'configure', failure: no, because: 'license' }, 5, 'nothing', 'failed'],
  [{ kind: 'not-taken', operation: 'configure', failure: no, isRejected: true }, 5, 'something', 'failed'],
  [{ kind: 'not-taken', operation: 'update', after: 'configure', failure: gone }, 75, 'no more', 'failed'],
  [{ kind: 'not-permitted', userType: 'x', listed: [] }, 78, 'nothing', 'refused'],
  [{ kind: 'stale', moved: [] }, 6, 'nothing', 'failed'],
  [{ kind: 'references', diagnostics: [] }, 66, 'nothing', 'refused'],
  [{ kind: 'interrupted' }, 130, 'no more', 'cancelled'],
  [{ kind: 'not-recorded', after: 'nothing', failure: unwritable }, 74, 'nothing', 'failed'],
  [{ kind: 'not-recorded', after: 'configure', failure: unwritable }, 74, 'something', 'failed'],
])(
  'the end $0.kind has its code, what was sent, and the state of its site (case %#)',
  (outcome, code, sent, state) => {
    const exitCode = exitCodeOf(outcome)
    expect([exitCode, findSent(outcome), endStateOf(outcome, exitCode)]).toEqual([code, sent, state])
    const words = { nothing: ['; nothing was sent'], 'no more': ['; nothing more was sent'] }
    const said = describeOutcome(outcome).match(/; nothing (?:more )?was sent/g) ?? []
    expect([...said]).toEqual(sent in words ? words[sent as keyof typeof words] : [])
  },
)
