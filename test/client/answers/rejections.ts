import { type Given, json, type Result, text } from './results.js'

/** What comes of a `configure` that is answered so. */
export type Sent =
  /** The service said no: on record, and another request takes a consent. */
  | 'rejected'
  /** The same, for want of a right sign-in. */
  | 'not signed in'
  /** It may have been said by something before the service: nobody knows what came of the request. */
  | 'unknown'

export const sentResults: Readonly<Record<Sent, readonly [exitCode: number, journal: string]>> = {
  rejected: [5, 'rejected'],
  'not signed in': [77, 'rejected'],
  unknown: [4, 'unknown'],
}

/** A no, what comes of a look and of a `configure` that are answered so, and what is said in both. */
export type RefusalRow = readonly [name: string, answer: Given, look: Result, sent: Sent, says?: RegExp]

const error = (body: unknown, status = 200) => json({ error: body }, status)
const full = { code: 400, message: 'Bad license.', details: null }
const page = '<html><head><title>403 Forbidden</title></head></html>'
const said = /Bad license/
/** The words of a no, or of the unknown outcome that it leaves `configure` with. */
const noOrUnknown = (no: RegExp) =>
  new RegExp(`${no.source}|configure is unknown: .* answered "(?:Bad license|Expired)\\.`)
const bare = { message: 'Bad license.' }
const of = (code: number, status: number) => error({ ...full, code }, status)

/** Every way we know in which the service, or something before it, says no, and its neighbours. */
export const refusals: readonly RefusalRow[] = [
  // The error body as documented, under any status below 500 that is not one of a gateway.
  [
    'as documented',
    error(full),
    'refused',
    'rejected',
    /the service rejected (?:the request|\w+): Bad license \(code 400\)/,
  ],
  ['under HTTP 400', error(full, 400), 'refused', 'rejected', said],
  ['under HTTP 409', of(409, 409), 'refused', 'rejected', said],
  ['under HTTP 413', of(413, 413), 'refused', 'rejected', said],
  ['the code 500 under HTTP 200', of(500, 200), 'refused', 'rejected', said],
  ['the code 1001', of(1001, 200), 'refused', 'unknown', noOrUnknown(/code 1001/)],
  ['the code 0', of(0, 200), 'refused', 'unknown', noOrUnknown(/code 0/)],
  ['a code below 0', of(-1, 200), 'refused', 'unknown', noOrUnknown(/code -1/)],
  [
    'with fields of a root',
    json({ status: { state: 'ready' }, resources: ['orgs'], error: full }),
    'refused',
    'unknown',
    said,
  ],
  ['behind a byte order mark', text(`\ufeff${JSON.stringify({ error: full })}`), 'refused', 'rejected', said],
  // Its details are shown.
  [
    'details in a text',
    error({ ...full, details: 'Expired on 2024-01-01' }),
    'refused',
    'rejected',
    /Bad license\. Expired on 2024-01-01/,
  ],
  [
    'details in a list',
    error({ ...full, details: ['One.', 'Two.'] }),
    'refused',
    'rejected',
    /Bad license\. One\. Two/,
  ],
  ['details that are empty', error({ ...full, details: [] }), 'refused', 'rejected', /Bad license \(/],
  ['details of objects', error({ ...full, details: [{ file: 'a' }] }), 'refused', 'unknown', /"file":"a"/],
  [
    'details without a message',
    error({ code: 400, message: '', details: ['Expired.'] }),
    'refused',
    'unknown',
    noOrUnknown(/rejected (?:the request|\w+): Expired \(code 400\)/),
  ],
  [
    'details with a message of blanks',
    error({ code: 400, message: ' ', details: 'Expired.' }),
    'refused',
    'unknown',
    noOrUnknown(/rejected (?:the request|\w+): Expired/),
  ],
  [
    'details alone',
    error({ details: ['Expired.'] }),
    'refused',
    'unknown',
    noOrUnknown(/rejected (?:the request|\w+): Expired\.$|rejected (?:the request|\w+): Expired\.(?! \()/),
  ],
  [
    'details that say the same',
    error({ ...full, details: ['Bad license.'] }),
    'refused',
    'rejected',
    /rejected (?:the request|\w+): Bad license \(code/,
  ],
  ['details without end', error({ ...full, details: Array(9999).fill('more') }), 'refused', 'rejected', said],
  // Without an integer for a code.
  [
    'without a code',
    error(bare),
    'refused',
    'unknown',
    noOrUnknown(/the service rejected (?:the request|\w+): Bad license\.(?! \()/),
  ],
  ['without a code, under HTTP 400', error(bare, 400), 'refused', 'unknown', said],
  ['a code null', error({ ...bare, code: null }), 'refused', 'unknown', said],
  ['a code that is a word', error({ ...bare, code: 'LICENSE' }), 'refused', 'unknown', said],
  [
    'a code that is a number as text',
    error({ ...bare, code: '400' }),
    'refused',
    'unknown',
    noOrUnknown(/code 400/),
  ],
  ['a code with a fraction', error({ ...bare, code: 1.5 }), 'refused', 'unknown', said],
  ['a code that is a list', error({ ...bare, code: [400] }), 'refused', 'unknown', said],
  ['a code and no message', error({ code: 400 }), 'refused', 'unknown', /code 400/],
  ['a code and a message null', error({ code: 400, message: null }), 'refused', 'unknown', /code 400/],
  [
    'a code and a message of another type',
    error({ code: 400, message: { why: 'x' } }),
    'refused',
    'unknown',
    /"why":"x"/,
  ],
  // The other bodies that are reported.
  [
    'failed, with a statusMessage',
    json({ status: 'failed', statusMessage: 'Bad license.' }),
    'refused',
    'unknown',
    said,
  ],
  [
    'FAILED, with a statusMessage',
    json({ status: 'FAILED', statusMessage: 'Bad license.' }),
    'refused',
    'unknown',
    said,
  ],
  [
    'failure, with a statusMessage',
    json({ status: 'failure', statusMessage: 'Bad license.' }, 400),
    'refused',
    'unknown',
    said,
  ],
  [
    'error, with messages',
    json({ status: 'error', messages: ['Bad license.', 'No.'], code: 409 }),
    'refused',
    'unknown',
    noOrUnknown(/Bad license\. No \(code 409\)/),
  ],
  ['error, with a message', json({ status: 'error', message: 'Bad license.' }), 'refused', 'unknown', said],
  ['error, with nothing', json({ status: 'error' }), 'refused', 'unknown'],
  [
    'error, with details',
    json({ status: 'error', messages: ['Bad license.'], details: ['Expired.'] }),
    'refused',
    'unknown',
    /Bad license\. Expired/,
  ],
  // About the sign-in.
  ['the code 498', of(498, 200), 'sign-in', 'not signed in', said],
  ['the code 499', of(499, 200), 'sign-in', 'not signed in', said],
  ['the code 499 as text', error({ ...bare, code: '499' }), 'sign-in', 'unknown', said],
  ['the code 401 under HTTP 401', of(401, 401), 'sign-in', 'not signed in', said],
  ['the code 403 under HTTP 403', of(403, 403), 'sign-in', 'not signed in', said],
  ['the code 498 under HTTP 429', of(498, 429), 'sign-in', 'unknown', said],
  ['the code 498 under HTTP 503', of(498, 503), 'sign-in', 'unknown', said],
  // What something before the service says as well.
  ['a page under 403', text(page, 403), 'denied', 'unknown', /HTTP 403/],
  ['nothing under 401', text('', 401), 'denied', 'unknown', /HTTP 401/],
  ['nothing under 403', text('', 403), 'denied', 'unknown', /HTTP 403/],
  ['a text under 401', text('Unauthorized', 401), 'denied', 'unknown'],
  ['JSON of a gateway under 403', json({ message: 'Forbidden' }, 403), 'denied', 'unknown', /Forbidden/],
  [
    'JSON of Kubernetes under 403',
    json({ kind: 'Status', status: 'Failure', message: 'no role', code: 403 }, 403),
    'denied',
    'unknown',
    /no role/,
  ],
  ['the code 503 under HTTP 200', of(503, 200), 'trouble', 'unknown', said],
  ['the code 504 under HTTP 200', of(504, 200), 'trouble', 'unknown', said],
  ['the code 502 under HTTP 400', of(502, 400), 'trouble', 'unknown', said],
  ['the code 429 under HTTP 200', of(429, 200), 'trouble', 'unknown', said],
  ['the code 408 under HTTP 200', of(408, 200), 'trouble', 'unknown', said],
  ['the code 503 as text', error({ ...bare, code: '503' }), 'trouble', 'unknown', said],
  [
    'failed, with the code 504',
    json({ status: 'failed', statusMessage: 'Bad license.', code: 504 }),
    'trouble',
    'unknown',
    said,
  ],
  ['an error body under 408', error(full, 408), 'trouble', 'unknown', said],
  ['an error body under 429', error(full, 429), 'trouble', 'unknown', said],
  ['an error body under 503', error(full, 503), 'trouble', 'unknown', said],
  ['an error body under 500', of(500, 500), 'refused', 'unknown', said],
  ['an error body under 502', error(full, 502), 'refused in trouble', 'unknown', said],
  ['an error body under 504', error(full, 504), 'refused in trouble', 'unknown', said],
  ['without a code, under HTTP 500', error(bare, 500), 'refused in trouble', 'unknown', said],
  ['a page under 429', text(page, 429), 'trouble', 'unknown'],
  ['a page under 408', text(page, 408), 'trouble', 'unknown'],
  ['a page under 500', text(page, 500), 'trouble', 'unknown'],
  ['a page under 502', text(page, 502), 'trouble', 'unknown'],
  ['nothing under 503', text('', 503), 'trouble', 'unknown'],
  ['nothing under 504', text('', 504), 'trouble', 'unknown'],
  [
    'JSON of a gateway under 503',
    json({ status: 503, error: 'Service Unavailable' }, 503),
    'trouble',
    'unknown',
    /Service Unavailable/,
  ],
  ['a page under 400', text(page, 400), 'not-understood', 'unknown'],
  ['a page under 413', text('<h1>413 Request Entity Too Large</h1>', 413), 'not-understood', 'unknown'],
  ['nothing under 400', text('', 400), 'not-understood', 'unknown'],
  ['nothing under 407', text('', 407), 'not-understood', 'unknown'],
  [
    'an error that is a text',
    json({ error: 'invalid_request' }, 400),
    'not-understood',
    'unknown',
    /invalid_request/,
  ],
  ['an error that is empty', error({}), 'not-understood', 'unknown'],
  ['an error that is a list', error(['no']), 'not-understood', 'unknown'],
  ['an error of other words', error({ reason: 'no' }), 'not-understood', 'unknown'],
  ['a code at the top', json({ code: 400, message: 'Bad license.' }, 400), 'refused', 'unknown', said],
  ['the code 500 at the top', json({ code: 500, message: 'Bad license.' }), 'refused', 'unknown', said],
  ['a small code at the top', json({ code: 3, message: 'Bad license.' }), 'not-understood', 'unknown', said],
  ['an error that is a text', json({ error: 'Bad license.' }), 'not-understood', 'unknown', said],
  [
    'success that is false',
    json({ success: false, message: 'Bad license.' }),
    'not-understood',
    'unknown',
    said,
  ],
  ['a page to sign in at', text('<title>Log in</title>'), 'sign-in page', 'unknown'],
  ['a redirect to a login', text('', 302, { location: '/login' }), 'sign-in page', 'unknown'],
  ['a redirect to another host', text('', 307, { location: 'https://x.test/' }), 'elsewhere', 'unknown'],
]
