import {
  type ParsedRedirect,
  parseHttpDate,
  parseRedirect,
  parseRetryAfter,
} from '../../src/client/message.js'

const asked = 'https://gis.example.org/portal/admin?f=json'

test.each<[string | undefined, ParsedRedirect]>([
  [undefined, {}],
  ['http://[', {}],
  ['/portal/admin/', { to: 'slash', target: '/portal/admin/' }],
  ['admin/?f=json', { to: 'slash', target: '/portal/admin/' }],
  ['https://gis.example.org/portal/admin/#x', { to: 'slash', target: '/portal/admin/' }],
  ['http://gis.example.org/portal/admin/', { to: 'slash', target: 'http://gis.example.org/portal/admin/' }],
  [
    'https://www.example.org/portal/admin/',
    { to: 'elsewhere', target: 'https://www.example.org/portal/admin/' },
  ],
  ['/portal/admin//', { to: 'elsewhere', target: '/portal/admin//' }],
  ['/login', { to: 'sign-in', target: '/login' }],
  ['/portal/sign-in?token=S3cret', { to: 'sign-in', target: '/portal/sign-in' }],
  ['https://a:b@login.example.org/x', { to: 'sign-in', target: 'https://login.example.org/x' }],
  ['https://idp.example.org/adfs/ls', { to: 'sign-in', target: 'https://idp.example.org/adfs/ls' }],
  ['/blogging', { to: 'elsewhere', target: '/blogging' }],
  ['/portal/authorized', { to: 'elsewhere', target: '/portal/authorized' }],
])('a redirect to %s', (location, told) => {
  expect(parseRedirect(asked, location)).toEqual(told)
})

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
])('a response with %j requests a pause of %j ms', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected)
})

test("without a date in the response, a date is relative to this machine's clock", () => {
  const inAMinute = new Date(Date.now() + 100_000).toUTCString()
  expect(parseRetryAfter(inAMinute, undefined)).toBeGreaterThan(60_000)
  expect(parseRetryAfter(inAMinute, parseHttpDate('whenever'))).toBeGreaterThan(60_000)
})
