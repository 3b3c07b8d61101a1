import { quoteAnswer } from '../../src/apply/outcome.js'
import type { ServiceFailure } from '../../src/client/failure.js'

const answer = { kind: 'not-understood', reason: 'not-a-json-object', status: 200 } as const

test.each<[ServiceFailure, string]>([
  [{ kind: 'no-answer', reason: 'cut' }, ''],
  [answer, 'HTTP 200'],
  [{ ...answer, server: 'nginx' }, 'HTTP 200 from nginx'],
  [{ ...answer, message: 'Busy' }, 'Busy'],
  [{ ...answer, message: 'Busy', server: 'nginx' }, 'HTTP 200 from nginx: Busy'],
  [{ ...answer, message: 'Busy', status: 300 }, 'HTTP 300: Busy'],
  [{ ...answer, message: 'x'.repeat(9000) }, 'x'.repeat(500)],
  [{ ...answer, server: 'x'.repeat(9000) }, `HTTP 200 from ${'x'.repeat(60)}`],
])('the response %j is quoted as %s', (failure, quote) => {
  expect(quoteAnswer(failure)).toBe(quote)
})
