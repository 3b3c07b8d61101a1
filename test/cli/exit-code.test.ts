import type { Outcome } from '../../src/apply/outcome.js'
import type { ServiceFailure } from '../../src/client/failure.js'
import { type ExitCode, exitCodes, severityOrder, worstExitCode } from '../../src/report/exit-code.js'
import { exitCodeOf } from '../../src/report/outcomes.js'

const unreachable = { kind: 'not-sent', cause: 'connection', reason: 'ECONNREFUSED' } as const
const refused = (status: number, code = 500): ServiceFailure => ({
  kind: 'refused',
  status,
  code,
  message: 'x',
})

test.each<[string, Outcome, number]>([
  ['a site that cannot be reached', { kind: 'not-taken', operation: 'configure', failure: unreachable }, 69],
  [
    'a site that cannot be reached any more, after it was configured',
    { kind: 'not-taken', operation: 'update', after: 'configure', failure: unreachable },
    75,
  ],
  ['an error in a whole answer', { kind: 'not-taken', operation: 'update', failure: refused(200) }, 5],
  ['an error of the service under 500', { kind: 'not-taken', operation: 'update', failure: refused(500) }, 5],
  [
    'an error in an answer of trouble',
    { kind: 'not-taken', operation: 'update', failure: refused(500, 502) },
    75,
  ],
])('the exit code for %s is what can be said of it', (_, outcome, code) => {
  expect(exitCodeOf(outcome)).toBe(code)
})

test('every code that a site can end with has its place in the order, once', () => {
  const { usage: _, brokenPipe: __, ...ofSites } = exitCodes
  expect([...severityOrder].sort()).toEqual(Object.values(ofSites).sort())
})

test.each<[readonly ExitCode[], ExitCode]>([
  [[], 0],
  [[0, 0], 0],
  [[0, 3], 3],
  [[0, 2, 0], 2],
  [[3, 5, 75], 5],
  [[5, 4, 65], 4],
  [[130, 3], 130],
  [[4, 70], 70],
])('of %j the worst is %i', (codes, expected) => {
  expect(worstExitCode(codes)).toBe(expected)
})

test('one alone that is not 0 is never lost', () => {
  for (const code of severityOrder) expect(worstExitCode([0, code, 0])).toBe(code)
})
