import type { Outcome } from '../../src/apply/outcome.js'
import type { ServiceFailure } from '../../src/client/failure.js'
import { exitCodeOf } from '../../src/report/outcomes.js'

const unreachable = { kind: 'not-sent', cause: 'connection', reason: 'ECONNREFUSED' } as const
const refused = (status: number): ServiceFailure => ({ kind: 'refused', status, code: 500, message: 'x' })

test.each<[string, Outcome, number]>([
  ['a site that cannot be reached', { kind: 'not-taken', operation: 'configure', failure: unreachable }, 69],
  [
    'a site that cannot be reached any more, after it was configured',
    { kind: 'not-taken', operation: 'update', after: 'configure', failure: unreachable },
    75,
  ],
  ['an error in a whole answer', { kind: 'not-taken', operation: 'update', failure: refused(200) }, 5],
  ['an error in an answer of trouble', { kind: 'not-taken', operation: 'update', failure: refused(500) }, 75],
])('the exit code for %s is what can be said of it', (_, outcome, code) => {
  expect(exitCodeOf(outcome)).toBe(code)
})
