import { parseHttpDate, parseRetryAfter } from '../../src/client/answer-headers.js'

const now = parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')

test.each<[string | undefined, number | undefined]>([
  ['5', 5_000],
  [' 120 ', 120_000],
  ['0', 1_000],
  ['300', 300_000],
  ['301', 300_000],
  ['99999999999999999999999999', 300_000],
  ['Sun, 06 Nov 1994 08:50:00 GMT', 23_000],
  ['Sunday, 06-Nov-94 08:50:00 GMT', 23_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 1_000],
  ['Sun, 06 Nov 1984 08:49:37 GMT', 1_000],
  ['Mon, 07 Nov 1994 08:49:37 GMT', 300_000],
  [undefined, undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['5 seconds', undefined],
  ['1e3', undefined],
  ['tomorrow', undefined],
  ['Sun, 99 Nov 1994 99:99:99 GMT', undefined],
])('an answer that says %j asks for %j ms', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected)
})

test('without a date of the answer a date counts from this machine', () => {
  const inAMinute = new Date(Date.now() + 100_000).toUTCString()
  expect(parseRetryAfter(inAMinute, undefined)).toBeGreaterThan(60_000)
  expect(parseRetryAfter(inAMinute, parseHttpDate('whenever'))).toBeGreaterThan(60_000)
})
