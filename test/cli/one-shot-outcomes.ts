import type { CommandEntry } from '../../src/cli/command.js'
import type { Ending, Reached } from '../support/command-outcomes.js'
import { http, json, type Reply } from '../support/http-double.js'
import { someSecrets } from '../support/some-secrets.js'

type Answer = readonly [what: string, answer: Reply, says: RegExp, exitCode: number]

const reset: Reply = { close: 'reset' }
const error = (code: number, status = 200) => json({ error: { code, message: 'No.', details: null } }, status)
const noResponse = /connection closed before a complete response \(/
const unexpected = /unexpected response \(HTTP 200\): /

/** Answers that prove that the operation was not performed. `sent-answers.ts` lists all answers. */
const certain: readonly Answer[] = [
  ['an error body', error(500), /the service rejected the request: No \(code \d+\)/, 5],
  ['401', http(401, ''), /authentication failed: /, 77],
  [
    '403 with a page',
    http(403, '<html>'),
    /something in front of the service denied access \(HTTP 403\)/,
    77,
  ],
]

const redirect = http(302, '', 'location: http://evil.example/\r\n')
const redirected = /unexpected redirect \(HTTP 302\) to http:\/\/evil\.example\/; not followed/

/** Answers that leave the outcome unknown, except for a check, which changes nothing and ends with the exit code. */
const uncertain: readonly Answer[] = [
  ['a reset', reset, noResponse, 75],
  ['silence', [], noResponse, 75],
  ['a redirect', redirect, redirected, 77],
  ['503', http(503, 'busy'), /service unavailable \(HTTP 503\)/, 75],
  ['a web page', http(200, '<html>login</html>'), unexpected, 75],
]

type Operation = 'export' | 'check' | 'deletion'
type More = Omit<Ending, 'exitCode'>
type Row = readonly [outcome: string, of: readonly Operation[], exitCode: number, answer: Reply, more: More]
const all: readonly Operation[] = ['export', 'check', 'deletion']
const sending: readonly Operation[] = ['export', 'deletion']

const file = '/b/x.portalsite'
const done = json({ status: 'success', location: file })
const bare = json({ status: 'success' })
const warning = (more: object) => json({ status: 'success with warning', location: file, ...more })
const warned = (...messages: readonly string[]) => ({ document: { outcome: 'warned', file, messages } })
const flood = Array<string>(1000).fill('a')
const onlyACheck = 'only a check was requested, but the service reported an export file'
const ended = (outcome: string) => ({ document: { outcome } })
const interrupted = (at: 'once' | 'GET' | 'POST') => ({ interrupt: { signal: 'SIGINT', at } }) as const
const unsent = { received: [0, 0] } as const
const { LANDFORM_TOKEN: _, ...noToken } = someSecrets

/** Answers to the request for the webhooks, each with the message before the deletion. */
const observations: readonly (readonly [what: string, answer: Reply, says: RegExp])[] = [
  ['one', json([{ name: 'a' }]), /The site reports 1 webhook:\n {2}a\n/],
  ['many', json(Array(33).fill({ id: 7 })), /33 webhooks:\n(?: {2}7\n){20} {2}and 13 more\n/],
  ['none', json({ webhooks: [] }), /The site reports no webhooks\.\n/],
  ['a response without a list', json({}), /does not report its webhooks\.\n/],
  ['a rejection', error(404), /its webhooks: the service rejected the request: No \(code 404\)/],
  ['a missing sign-in', error(499), /its webhooks: authentication failed/],
  ['a reset', reset, /its webhooks: connection closed before a complete response/],
  ['trouble', http(503, ''), /its webhooks: service unavailable \(HTTP 503\)/],
]

const rows: readonly Row[] = [
  ...certain.map(([what, answer, says, exitCode]): Row => {
    return [`gets ${what} as response`, all, exitCode, answer, { says, ...ended('not-taken') }]
  }),
  ...uncertain.flatMap(([what, answer, says, exitCode]): readonly Row[] => {
    const outcome = `gets ${what} as response`
    const more = { says, ...(what === 'silence' && { options: ['--timeout', '1s'] }) }
    return [
      [outcome, sending, 4, answer, { ...more, ...ended('unknown') }],
      [outcome, ['check'], exitCode, answer, { ...more, ...ended('not-taken') }],
    ]
  }),
  ['cannot reach the site', ['check'], 69, '', { site: 'nobody', received: [] }],
  ['lacks its secrets', all, 66, done, { environment: noToken, says: /secret\/missing/, ...unsent }],
  ['is interrupted before it sends', all, 130, done, { ...interrupted('once'), ...unsent }],
  ['is interrupted while it sends', sending, 0, done, { ...interrupted('POST'), ...ended('done') }],
  [
    'is interrupted while it reads the webhooks',
    ['deletion'],
    130,
    done,
    { ...interrupted('GET'), says: /\nerror: interrupted; nothing was sent\n/, received: [1, 0] },
  ],
  ...observations.map(([what, answer, says]): Row => {
    const more = { site: [done, answer], says, ...ended('done') } as const
    return [`reads the webhooks first and gets ${what}`, ['deletion'], 0, done, more]
  }),
  ['is done', ['export'], 0, done, { document: { outcome: 'done', file } }],
  ['is done', ['check'], 0, bare, ended('done')],
  ['gets no file name', ['export'], 4, bare, { says: unexpected, ...ended('unknown') }],
  ['exports nevertheless', ['check'], 5, done, warned(onlyACheck)],
  ['is warned', ['export'], 5, warning({ messages: ['a', 'b'] }), warned('a', 'b')],
  ['is warned without a reason', ['export'], 5, warning({}), warned()],
  ['gets a flood of warnings', ['export'], 5, warning({ messages: flood }), warned(...flood.slice(0, 50))],
]

/** Lists the runs of one-shot operations with their outcomes. A deletion reads the webhooks first. */
export function oneShotEndings({ name }: CommandEntry): readonly Reached[] {
  const own: readonly Operation[] =
    name === 'export-site' ? ['export', 'check'] : name === 'webhooks delete-all' ? ['deletion'] : []
  return own.flatMap(operation =>
    rows
      .filter(([, of]) => of.includes(operation))
      .map(([outcome, , exitCode, answer, { options = [], ...more }]) => ({
        outcome: operation === 'check' ? `only checks and ${outcome}` : outcome,
        ending: {
          exitCode,
          site: [answer, json([])],
          received: [operation === 'deletion' ? 1 : 0, 1],
          options: operation === 'check' ? ['--validate', ...options] : options,
          ...more,
        },
      })),
  )
}
