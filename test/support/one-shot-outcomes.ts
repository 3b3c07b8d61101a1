import type { ServiceFailure } from '../../src/client/failure.js'
import type { LoadedEntry } from '../../src/reference/loaded-commands.js'
import { http, json, type Reaction } from './answering-site.js'
import type { Ending, Reached } from './command-outcomes.js'
import { someSecrets } from './some-secrets.js'

type Kind = Exclude<ServiceFailure['kind'], 'not-sent'>
type Answer = readonly [what: string, answer: Reaction, kind: Kind]

const reset: Reaction = socket => socket.resetAndDestroy()
const error = (code: number, status = 200) => json({ error: { code, message: 'No.', details: null } }, status)

/** Answers after which nothing was done. */
const certain: readonly Answer[] = [
  ['an error body', error(500), 'refused'],
  ['an error body with a list', json({ error: { code: 500, message: 'No.', details: [] } }), 'refused'],
  ['an error body with 404', error(404, 404), 'refused'],
  ['the other error body', json({ status: 'error', messages: ['No.'], code: 500 }), 'refused'],
  ['401', http(401, ''), 'unauthorized'],
  ['403 with a page', http(403, '<html>'), 'unauthorized'],
  ['498 in the body', error(498), 'unauthorized'],
  ['499 in the body', error(499), 'unauthorized'],
]

/** Answers that leave open what was done; after a check, which changes nothing, nothing is open. */
const uncertain: readonly Answer[] = [
  ['a reset', reset, 'no-answer'],
  ['a hang-up', '', 'no-answer'],
  ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"status":', 'no-answer'],
  ['a flood', http(200, 'x'.repeat(5 * 1024 * 1024)), 'no-answer'],
  ['bytes that are no HTTP', 'nonsense\r\n\r\n', 'no-answer'],
  ['silence', () => undefined, 'no-answer'],
  ['a redirect', http(302, '', 'location: http://evil.example/\r\n'), 'redirected'],
  ['429', http(429, ''), 'trouble'],
  ['500 without a body', http(500, ''), 'trouble'],
  ['an error body with 500', error(500, 500), 'refused'],
  ['503', http(503, 'busy'), 'trouble'],
  ['504 with a page', http(504, '<html>Gateway Time-out</html>'), 'trouble'],
  ['a web page', http(200, '<html>login</html>'), 'not-understood'],
  ['nothing', http(200, ''), 'not-understood'],
  ['another JSON', json({ status: 'submitted' }), 'not-understood'],
  ['a list', json([]), 'not-understood'],
]

/** What is told of each, and the exit code where nothing is open. */
const told: Readonly<Record<Kind, readonly [says: RegExp, exitCode: number]>> = {
  'no-answer': [/the connection gave no whole answer \(/, 75],
  'not-understood': [/the answer \(HTTP 200\) is not of the service: /, 75],
  redirected: [/the answer \(HTTP 302\) points to another address, which is never followed/, 77],
  refused: [/the service refused: No\. \(code \d+\)/, 5],
  unauthorized: [/the service did not accept the sign-in: /, 77],
  trouble: [/the service is in trouble \(HTTP \d+\)/, 75],
}

type Operation = 'export' | 'check' | 'deletion'
type Row = readonly [outcome: string, operations: readonly Operation[], ending: Ending]
const all: readonly Operation[] = ['export', 'check', 'deletion']

const done = json({ status: 'success', location: '/b/x.portalsite' })
const warning = (more: object) =>
  json({ status: 'success with warning', location: '/b/x.portalsite', ...more })
const warned = (...messages: readonly string[]) =>
  ({ outcome: 'warned', file: '/b/x.portalsite', messages }) as const
const onlyACheck = 'only a check was asked for, and the service names a file that it wrote'
const { LANDFORM_TOKEN: _, ...noToken } = someSecrets

function failed([what, answer, kind]: Answer): Omit<Ending, 'exitCode'> {
  return { site: [answer], says: told[kind][0], options: what === 'silence' ? ['--timeout', '1s'] : [] }
}

/** What a site says of its webhooks, and what a deletion tells of that before it goes on. */
const looks: readonly (readonly [what: string, answer: Reaction, says: RegExp])[] = [
  ['one', json([{ name: 'a' }]), /there is 1 webhook:\n {2}a\n/],
  ['what is no list', json({}), /does not say which webhooks there are\.\n/],
  ['a refusal', error(404), /webhooks there are: the service refused: No\. \(code 404\)/],
  ['no sign-in', error(499), /webhooks there are: the service did not accept the sign-in/],
  ['a reset', reset, /webhooks there are: the connection gave no whole answer/],
  ['trouble', http(503, ''), /webhooks there are: the service is in trouble \(HTTP 503\)/],
]

const rows: readonly Row[] = [
  ...certain.map((one): Row => {
    const ending = { ...failed(one), exitCode: told[one[2]][1], document: { outcome: 'not-taken' } }
    return [`gets ${one[0]} for an answer`, all, ending]
  }),
  ...uncertain.flatMap((one): readonly Row[] => {
    const outcome = `gets ${one[0]} for an answer`
    // With a status of trouble a refusal may come from something in front of the service.
    const exitCode = one[2] === 'refused' ? 75 : told[one[2]][1]
    return [
      [outcome, ['export', 'deletion'], { ...failed(one), exitCode: 4, document: { outcome: 'unknown' } }],
      [outcome, ['check'], { ...failed(one), exitCode, document: { outcome: 'not-taken' } }],
    ]
  }),
  [
    'does not have its secrets',
    all,
    { exitCode: 66, site: [done], environment: noToken, says: /secret\/missing/, received: [0, 0] },
  ],
  [
    'is interrupted before it sends',
    all,
    { exitCode: 130, site: [done], interrupt: { signal: 'SIGINT', at: 'once' }, received: [0, 0] },
  ],
  [
    'is interrupted as it looks',
    ['deletion'],
    {
      exitCode: 130,
      site: [done, json([])],
      interrupt: { signal: 'SIGINT', at: 'GET' },
      says: /\nerror: interrupted; nothing was sent\n/,
      received: [1, 0],
    },
  ],
  [
    'is interrupted while its request is under way',
    ['export', 'deletion'],
    {
      exitCode: 0,
      site: [done],
      interrupt: { signal: 'SIGINT', at: 'POST' },
      document: { outcome: 'done' },
    },
  ],
  ['cannot reach the site', ['check'], { exitCode: 69, site: 'nobody', received: [] }],
  [
    'is done',
    ['export'],
    { exitCode: 0, site: [done], document: { outcome: 'done', file: '/b/x.portalsite' } },
  ],
  ['is done', ['check'], { exitCode: 0, site: [json({ status: 'success' })], document: { outcome: 'done' } }],
  [
    'names no file, which may not be there',
    ['export'],
    {
      exitCode: 4,
      site: [json({ status: 'success' })],
      says: told['not-understood'][0],
      document: { outcome: 'unknown' },
    },
  ],
  ['exports all the same', ['check'], { exitCode: 5, site: [done], document: warned(onlyACheck) }],
  [
    'is warned',
    ['export'],
    { exitCode: 5, site: [warning({ messages: ['a', 'b'] })], document: warned('a', 'b') },
  ],
  ['is warned for no reason', ['export'], { exitCode: 5, site: [warning({})], document: warned() }],
  [
    'is warned in a flood',
    ['export'],
    {
      exitCode: 5,
      site: [warning({ messages: Array(1000).fill('a') })],
      document: warned(...Array<string>(50).fill('a')),
    },
  ],
  ...looks.map(
    ([what, answer, says]): Row => [
      `looks first and finds ${what}`,
      ['deletion'],
      { exitCode: 0, site: [done, answer], says, document: { outcome: 'done' } },
    ],
  ),
]

/** Ways to end of what sends one request, by what it is answered and by what comes before; a deletion looks first. */
export function oneShotEndings({ name }: LoadedEntry): readonly Reached[] {
  const own: readonly Operation[] =
    name === 'export-site' ? ['export', 'check'] : name === 'webhooks delete-all' ? ['deletion'] : []
  return own.flatMap(operation =>
    rows
      .filter(([, operations]) => operations.includes(operation))
      .map(([outcome, , { options = [], ...ending }]) => ({
        outcome: operation === 'check' ? `only checks and ${outcome}` : outcome,
        ending: {
          received: [operation === 'deletion' ? 1 : 0, 1],
          options: operation === 'check' ? ['--validate', ...options] : options,
          ...ending,
        },
      })),
  )
}
