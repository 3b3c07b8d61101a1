import { stageNames } from '../../../src/contract/responses.js'
import { type Given, json, type Result, text } from './results.js'

const status = { state: 'ready', message: 'Created.', warnings: [], stages: [] }
const root = {
  fullVersion: '11.2.0',
  resources: ['orgs'],
  currentVersion: 11.2,
  status,
  info: { build: '1000' },
}
const stage = { name: 'Queue store', state: 'in_progress', startTime: 5, lastUpdated: 6 }
const all = (state: string) => stageNames.map(name => ({ ...stage, name, state }))
const of = (other: unknown) => json({ ...root, status: other })
const state = (word: unknown) => of({ state: word })

const page = '<!DOCTYPE html><title>Welcome</title><h1>It works!</h1>'
const login = '<!DOCTYPE html><html><head><title>Sign In</title></head></html>'
const to = (location: string, code = 302): Given => text('', code, { location })

/** A response to a poll, its result, and words that the messages contain. */
export type RootRow = readonly [name: string, answer: Given, result: Result, says?: RegExp]

/** A row for each result of a poll. `decode-root.test.ts` and `decode.test.ts` have more forms of each. */
export const roots: readonly RootRow[] = [
  ['ready', json(root), 'ready'],
  ['ready, with failed stages', of({ ...status, stages: all('failed') }), 'ready'],
  ['in progress', of({ ...status, state: 'in_progress', stages: all('not_started') }), 'in-progress'],
  ['in progress, with failed stages', of({ state: 'in_progress', stages: all('failed') }), 'in-progress'],
  ['no state, and a stage that moved', of({ stages: all('completed') }), 'in-progress'],
  ['failed', of({ state: 'failed', message: 'no nodes' }), 'failed', /no nodes/],
  ['not configured', state('not_configured'), 'not-configured'],
  ['an empty status', of({}), 'not-configured'],
  ['no status', json({ ...root, status: undefined }), 'silent'],
  [
    'not configured, with a warning',
    of({ state: 'not_configured', warnings: ['Low disk'] }),
    'unrecognized',
    /also warns: Low disk|unrecognized: not_configured|signs of a configuration/,
  ],
  [
    'not configured, with a stage that moved',
    of({ state: 'not_configured', stages: [stage] }),
    'unrecognized',
    /also the stage Queue store as in progress|unrecognized: not_configured|signs of a configuration/,
  ],
  ['an undocumented state', state('paused'), 'unrecognized', /paused/],
  ['a state of another type', state({ ready: true }), 'unrecognized'],
  ['a status that is text', of('ready'), 'unrecognized', /ready/],
  ['another JSON object', json({ status: 'success' }), 'not-understood'],
  [
    'a root resource that is cut off',
    text(JSON.stringify(root).slice(0, -9)),
    'not-understood',
    /not JSON at line 1, column \d+: /,
  ],
  ['a web page', text(page), 'not-understood'],
  ['a root resource under HTTP 410', json(root, 410), 'not-understood', /HTTP 410/],
  ['a response that is too large', text('x'.repeat(5 * 1024 * 1024)), 'no-answer'],
  ['a page under HTTP 404', text(page, 404), 'not-found'],
  [
    'an error body under HTTP 404',
    json({ error: { code: 404, message: 'Not found.' } }, 404),
    'not-found',
    /Not found\./,
  ],
  ['an empty body under HTTP 404', text('', 404), 'not-found'],
  ['the code 404 under HTTP 200', json({ error: { code: 404, message: 'Not found.' } }), 'not-found'],
  ['JSON of a gateway under HTTP 404', json({ message: 'no Route' }, 404), 'not-found', /no Route/],
  ['a root resource under HTTP 404', json(root, 404), 'not-found'],
  ['a sign-in page', text(login), 'sign-in page'],
  ['a sign-in page under HTTP 404', text(login, 404), 'sign-in page'],
  [
    'a redirect to a sign-in page',
    to('https://idp.example.org/oauth2/authorize?secret=1'),
    'sign-in page',
    /a sign-in page instead of the service: redirected to .*\/oauth2\/authorize, not followed/,
  ],
  ['a redirect that keeps adding a slash', to('/portal/admin/?f=json', 301), 'slash without end'],
  ['the same with a host', to('http://site.test/portal/admin/', 308), 'slash without end'],
  [
    'a redirect to another host',
    to('https://other.example.org/portal/admin', 307),
    'elsewhere',
    /https:\/\/other\.example\.org\/portal\/admin/,
  ],
  ['a redirect to another path', to('/other/admin?f=json', 301), 'elsewhere', /\/other\/admin/],
  ['a redirect without a target', text('', 302), 'elsewhere', /another address/],
]

/** The outcome of a `configure` that gets this response. */
export type Sent =
  /** The service rejected it: recorded, and another request requires consent. */
  | 'rejected'
  /** The same, because of a missing or invalid token. */
  | 'not signed in'
  /** The response may come from a server in front of the service: the outcome is unknown. */
  | 'unknown'

export const sentResults: Readonly<Record<Sent, readonly [exitCode: number, journal: string]>> = {
  rejected: [5, 'rejected'],
  'not signed in': [77, 'rejected'],
  unknown: [4, 'unknown'],
}

/** A rejection, its results for a poll and for `configure`, and words that both messages contain. */
export type RejectionRow = readonly [name: string, answer: Given, result: Result, sent: Sent, says?: RegExp]

const error = (body: unknown, code = 200) => json({ error: body }, code)
const full = { code: 400, message: 'Bad license.', details: null }
const said = /Bad license/
const denied = '<html><head><title>403 Forbidden</title></head></html>'
/** Returns the pattern for the message of a rejection, or of the unknown outcome of `configure`. */
const rejectedOrUnknown = (words: RegExp) =>
  new RegExp(`${words.source}|configure is unknown: got "(?:Bad license|Expired)\\.`)

/** A row for each pair of results. `failure.test.ts` has the forms that prove a rejection, `decode.test.ts` the kinds. */
export const rejections: readonly RejectionRow[] = [
  [
    'as documented',
    error(full),
    'refused',
    'rejected',
    /the service rejected (?:the request|\w+): Bad license \(code 400\)/,
  ],
  [
    'an undocumented code',
    error({ ...full, code: 1001 }),
    'refused',
    'unknown',
    rejectedOrUnknown(/code 1001/),
  ],
  [
    'details as text',
    error({ ...full, details: 'Expired on 2024-01-01' }),
    'refused',
    'rejected',
    /Bad license\. Expired on 2024-01-01/,
  ],
  ['empty details', error({ ...full, details: [] }), 'refused', 'rejected', /Bad license \(/],
  [
    'details that are objects',
    error({ ...full, details: [{ file: 'a' }] }),
    'refused',
    'unknown',
    /"file":"a"/,
  ],
  [
    'details and no message',
    error({ code: 400, message: ' ', details: 'Expired.' }),
    'refused',
    'unknown',
    rejectedOrUnknown(/rejected (?:the request|\w+): Expired/),
  ],
  [
    'details that repeat the message',
    error({ ...full, details: ['Bad license.'] }),
    'refused',
    'rejected',
    /rejected (?:the request|\w+): Bad license \(code/,
  ],
  [
    'a message and no code',
    error({ message: 'Bad license.' }),
    'refused',
    'unknown',
    rejectedOrUnknown(/the service rejected (?:the request|\w+): Bad license\.(?! \()/),
  ],
  ['a code and no message', error({ code: 400 }), 'refused', 'unknown', /code 400/],
  [
    'a status that is an error',
    json({ status: 'error', messages: ['Bad license.', 'No.'], code: 409 }),
    'refused',
    'unknown',
    rejectedOrUnknown(/Bad license\. No \(code 409\)/),
  ],
  ['a status that is an error, and no words', json({ status: 'error' }), 'refused', 'unknown'],
  ['the code 498', error({ ...full, code: 498 }), 'sign-in', 'not signed in', said],
  ['the code 498 under HTTP 503', error({ ...full, code: 498 }, 503), 'sign-in', 'unknown', said],
  ['a page under HTTP 403', text(denied, 403), 'denied', 'unknown', /HTTP 403/],
  ['JSON of a gateway under HTTP 403', json({ message: 'Forbidden' }, 403), 'denied', 'unknown', /Forbidden/],
  ['the code 503', error({ ...full, code: 503 }), 'trouble', 'unknown', said],
  ['an error body under HTTP 503', error(full, 503), 'trouble', 'unknown', said],
  ['an error body under HTTP 502', error(full, 502), 'refused in trouble', 'unknown', said],
  ['a page under HTTP 500', text(denied, 500), 'trouble', 'unknown'],
  [
    'JSON of a gateway under HTTP 503',
    json({ status: 503, error: 'Service Unavailable' }, 503),
    'trouble',
    'unknown',
    /Service Unavailable/,
  ],
  ['a page under HTTP 413', text('<h1>413 Request Entity Too Large</h1>', 413), 'not-understood', 'unknown'],
  ['an error that is text', json({ error: 'Bad license.' }), 'not-understood', 'unknown', said],
  ['a small code at the top', json({ code: 3, message: 'Bad license.' }), 'not-understood', 'unknown', said],
  ['a sign-in page', text(login), 'sign-in page', 'unknown'],
  ['a redirect to another host', text('', 307, { location: 'https://x.test/' }), 'elsewhere', 'unknown'],
]
