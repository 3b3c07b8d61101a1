import { describeFailure } from '../../src/report/endings/service.js'

test.each([
  [500, undefined, 'internal server error (HTTP 500)'],
  [502, undefined, 'bad gateway (HTTP 502)'],
  [503, undefined, 'service unavailable (HTTP 503)'],
  [504, undefined, 'gateway timeout (HTTP 504)'],
  [429, undefined, 'too many requests (HTTP 429)'],
  [408, undefined, 'request timeout (HTTP 408)'],
  [599, undefined, 'service error (HTTP 599)'],
  [200, 503, 'service unavailable (HTTP 200) (code 503)'],
  [200, 460, 'service error (HTTP 200) (code 460)'],
])('HTTP %i with the code %j is named by its status', (status, code, expected) => {
  const failure = { kind: 'trouble', status, ...(code !== undefined && { code }) } as const
  expect(describeFailure(failure)).toBe(expected)
})
