import { rootResources, stageNames } from '../../../src/contract/responses.js'
import { type Given, json, type Result, text } from './results.js'

const resources = rootResources
const status = { state: 'ready', message: 'Created.', warnings: [], stages: [] }
const root = { fullVersion: '11.2.0', resources, currentVersion: 11.2, status, info: { build: '1000' } }
const stage = { name: 'Queue store', state: 'in_progress', startTime: 5, lastUpdated: 6 }
const all = (state: string) => stageNames.map(name => ({ ...stage, name, state }))

/** A root resource whose status is this. */
const of = (other: unknown) => json({ ...root, status: other })
/** One that is ready, with other fields beside its status. */
const beside = (other: object) => json({ ...root, ...other })
/** One that is ready, with other fields in its status. */
const ready = (other: object) => of({ ...status, ...other })
/** One that says of itself only what the state is. */
const state = (word: unknown) => of({ state: word })
/** One that lacks a field. */
const without = (name: keyof typeof root) => json({ ...root, [name]: undefined })

const page = '<!DOCTYPE html><title>Welcome</title><h1>It works!</h1>'
const login = '<!DOCTYPE html><html><head><title>Sign In</title></head></html>'
const form = '<html><form><input name="p" type="password"></form></html>'
const to = (location: string, code = 302): Given => text('', code, { location })

/** A root as a look gets it, what it means, and what of it must be seen or said. */
export type RootRow = readonly [name: string, answer: Given, result: Result, more?: object | RegExp]

/** Every way we know in which the root resource may come, and its neighbours. */
export const roots: readonly RootRow[] = [
  // The state alone decides, in any case of letters.
  ['as documented, when all is done', beside({}), 'ready', { version: '11.2.0', build: '1000' }],
  ['READY', state('READY'), 'ready'],
  ['Ready', state('Ready'), 'ready'],
  [
    'as documented, under way',
    of({ ...status, state: 'in_progress', stages: all('not_started') }),
    'in-progress',
  ],
  ['IN_PROGRESS', state('IN_PROGRESS'), 'in-progress'],
  ['configured, which ends in ready', state('configured'), 'in-progress'],
  ['failed, with a message', of({ state: 'failed', message: 'no nodes' }), 'failed', { message: 'no nodes' }],
  ['FAILED', state('FAILED'), 'failed'],
  ['failed, with stages completed', of({ state: 'failed', stages: all('completed') }), 'failed'],
  ['not_configured', state('not_configured'), 'not-configured'],
  ['NOT_CONFIGURED', state('NOT_CONFIGURED'), 'not-configured'],
  [
    'not_configured, with warnings that are empty',
    of({ state: 'not_configured', warnings: [] }),
    'not-configured',
  ],
  [
    'not_configured, with a warning of no text',
    of({ state: 'not_configured', warnings: ['', null] }),
    'not-configured',
  ],
  [
    'not_configured, with stages that did not move',
    of({ state: 'not_configured', stages: all('not_started') }),
    'not-configured',
  ],
  [
    'not_configured, with a warning',
    of({ state: 'not_configured', warnings: ['Low disk'] }),
    'unrecognized',
    /also warns: Low disk|unrecognized: not_configured|signs of a configuration/,
  ],
  [
    'not_configured, with a stage that moved',
    of({ state: 'not_configured', stages: [stage] }),
    'unrecognized',
    /also the stage Queue store as in progress|unrecognized: not_configured|signs of a configuration/,
  ],
  [
    'not_configured, with a stage without a name that moved',
    of({ state: 'not_configured', stages: [{ state: 'completed' }] }),
    'unrecognized',
  ],
  // Words that nobody documented are shown as they are.
  ['paused', state('paused'), 'unrecognized', /paused/],
  ['failover', state('failover'), 'unrecognized', /failover/],
  ['error_recovering', state('error_recovering'), 'unrecognized', /error_recovering/],
  ['cancelled', state('cancelled'), 'unrecognized', /cancelled/],
  ['an empty state', state(''), 'unrecognized'],
  ['a state with a blank behind it', state('ready '), 'unrecognized'],
  ['a state that is a number', state(7), 'unrecognized', /7/],
  ['a state that is true', state(true), 'unrecognized', /true/],
  ['a state that is an object', state({ ready: true }), 'unrecognized'],
  ['a status that is a text', of('ready'), 'unrecognized', /ready/],
  ['a status that is a list', of([]), 'unrecognized'],
  // A stage says nothing of the site.
  ['under way with a failed stage', of({ state: 'in_progress', stages: all('failed') }), 'in-progress'],
  ['ready with a failed stage', ready({ stages: all('failed') }), 'ready'],
  ['ready with open stages', ready({ stages: all('in_progress') }), 'ready'],
  // No state.
  ['without a status', without('status'), 'silent', { implied: true }],
  ['status null', of(null), 'silent', { implied: true }],
  ['status empty', of({}), 'not-configured'],
  ['state null', state(null), 'not-configured'],
  [
    'all of the status null',
    of({ state: null, message: null, warnings: null, stages: null }),
    'not-configured',
  ],
  ['without a state, with a message', of({ message: 'Welcome' }), 'not-configured'],
  ['without a state, with stages that did not move', of({ stages: all('not_applicable') }), 'not-configured'],
  ['only the organizations among the resources', json({ resources: ['orgs'] }), 'silent'],
  ['without a state, with warnings', of({ warnings: [] }), 'in-progress'],
  ['without a state, with a stage that moved', of({ stages: all('completed') }), 'in-progress'],
  // Nothing that is not used stops it.
  ['only the state', json({ status: { state: 'ready' } }), 'ready'],
  ['without info', without('info'), 'ready'],
  ['info null', beside({ info: null }), 'ready'],
  ['info a text', beside({ info: '1000' }), 'ready', { malformed: ['info'] }],
  ['build a number', beside({ info: { build: 1000 } }), 'ready', { malformed: ['info.build'] }],
  ['build null', beside({ info: { build: null } }), 'ready'],
  ['without resources', without('resources'), 'ready'],
  ['resources null', beside({ resources: null }), 'ready'],
  ['resources a text', beside({ resources: 'orgs' }), 'ready', { malformed: ['resources'] }],
  ['resources of other types', beside({ resources: [1, null, {}] }), 'ready'],
  ['without currentVersion', without('currentVersion'), 'ready', { version: '11.2.0' }],
  ['currentVersion a text', beside({ currentVersion: '11.2' }), 'ready', { malformed: ['currentVersion'] }],
  [
    'currentVersion without quotes, though no number',
    text('{"currentVersion":10.9.1,"resources":["orgs"],"status":{"state":"ready","message":"At 1.2.3."}}'),
    'ready',
    { version: '10.9.1', message: 'At 1.2.3.' },
  ],
  ['without fullVersion', without('fullVersion'), 'ready', { version: '11.2', isRounded: true }],
  ['fullVersion null', beside({ fullVersion: null }), 'ready', { version: '11.2', isRounded: true }],
  ['fullVersion a number', beside({ fullVersion: 11.2 }), 'ready', { malformed: ['fullVersion'] }],
  ['fullVersion empty', beside({ fullVersion: '' }), 'ready', { version: '11.2' }],
  ['no version at all', json({ resources, status }), 'ready'],
  [
    'currentVersion a whole number',
    json({ resources, status, currentVersion: 12 }),
    'ready',
    { version: '12.0' },
  ],
  ['message null', ready({ message: null }), 'ready'],
  ['message an object', ready({ message: { a: 1 } }), 'ready', { malformed: ['status.message'] }],
  ['warnings null', ready({ warnings: null }), 'ready'],
  ['warnings a text', ready({ warnings: 'none' }), 'ready', { malformed: ['status.warnings'] }],
  ['warnings of objects', ready({ warnings: [{ code: 1 }] }), 'ready', { warnings: ['{"code":1}'] }],
  ['stages null', ready({ stages: null }), 'ready'],
  ['stages an object', ready({ stages: {} }), 'ready', { malformed: ['status.stages'] }],
  ['a stage null', ready({ stages: [null] }), 'ready', { stages: [] }],
  ['a stage a text', ready({ stages: ['Queue store'] }), 'ready', { malformed: ['status.stages'] }],
  ['a stage without a name', ready({ stages: [{ state: 'completed' }] }), 'ready', { stages: [] }],
  ['a stage without a state', ready({ stages: [{ name: 'Queue store' }] }), 'ready', { stages: [] }],
  [
    'times as texts',
    ready({ stages: [{ ...stage, startTime: '5' }] }),
    'ready',
    { malformed: ['status.stages.startTime'] },
  ],
  ['times null', ready({ stages: [{ ...stage, startTime: null, lastUpdated: null }] }), 'ready'],
  [
    'times with fractions',
    ready({ stages: [{ ...stage, lastUpdated: 1.5 }] }),
    'ready',
    { malformed: ['status.stages.lastUpdated'] },
  ],
  [
    'times beyond all numbers',
    text(
      JSON.stringify(root).replace('"stages":[]', '"stages":[{"name":"a","state":"b","startTime":1e400}]'),
    ),
    'ready',
  ],
  ['a fifteenth stage', ready({ stages: [...all('completed'), { ...stage, name: 'Tea' }] }), 'ready'],
  ['a thousand stages', ready({ stages: Array(1000).fill(stage) }), 'ready'],
  ['ten thousand warnings', ready({ warnings: Array(10_000).fill('w') }), 'ready'],
  ['fields that nobody knows', beside({ new: [{ field: 1 }], status: { ...status, new: 1 } }), 'ready'],
  ['error null', beside({ error: null }), 'ready'],
  ['under HTTP 201', json(root, 201), 'ready'],
  ['behind a byte order mark', text(`\ufeff${JSON.stringify(root)}`), 'ready'],
  ['pretty', text(`\r\n${JSON.stringify(root, null, 4)}\r\n`), 'ready'],
  // What is no root.
  [
    'a version and an empty status',
    json({ fullVersion: '1', currentVersion: 1, status: {} }),
    'not-understood',
  ],
  ['other resources', json({ resources: ['users', 'logs'] }), 'not-understood'],
  ['a status of success', json({ status: 'success' }), 'not-understood'],
  ['up, as others say it', json({ status: 'UP' }), 'not-understood'],
  ['an empty object', json({}), 'not-understood'],
  ['a list', json([root]), 'not-understood'],
  ['null', json(null), 'not-understood'],
  ['nothing', text(''), 'not-understood'],
  ['a byte order mark', text('\ufeff'), 'not-understood'],
  [
    'half of it',
    text(JSON.stringify(root).slice(0, -9)),
    'not-understood',
    /not JSON at line 1, column \d+: /,
  ],
  ['no UTF-8', text(Buffer.from('{"status":{"state":"ready\xff"}}', 'latin1')), 'not-understood'],
  ['in UTF-16', text(Buffer.from(JSON.stringify(root), 'utf16le')), 'not-understood'],
  ['a web page', text(page), 'not-understood'],
  ['compressed', text(Buffer.from([0x1f, 0x8b, 8, 0]), 200), 'not-understood'],
  ['under HTTP 410', json(root, 410), 'not-understood', /HTTP 410/],
  ['larger than anything', text('x'.repeat(5 * 1024 * 1024)), 'no-answer'],
  // One cause, one exit code.
  ['a page under 404', text(page, 404), 'not-found'],
  ['nothing under 404', text('', 404), 'not-found'],
  ['JSON under 404', json({ message: 'no Route matched' }, 404), 'not-found', /no Route matched/],
  [
    'an error body under 404',
    json({ error: { code: 404, message: 'Not found.' } }, 404),
    'not-found',
    /Not found\./,
  ],
  ['the code 404 under 200', json({ error: { code: 404, message: 'Not found.' } }), 'not-found'],
  ['a root under 404', json(root, 404), 'not-found'],
  ['a page to sign in at', text(login), 'sign-in page'],
  ['a page with a password field', text(form), 'sign-in page'],
  ['a page to sign in at under 404', text(login, 404), 'sign-in page'],
  ['a page to sign in at under 401', text(login, 401), 'sign-in page'],
  ['a page to sign in at under 403', text(login, 403), 'sign-in page'],
  ['a redirect to a login', to('/portal/signin.html'), 'sign-in page', /\/portal\/signin\.html/],
  [
    'a redirect to another login',
    to('https://idp.example.org/oauth2/authorize?secret=1'),
    'sign-in page',
    /a sign-in page instead of the service: redirected to .*\/oauth2\/authorize, not followed/,
  ],
  ['a redirect that adds a slash, again and again', to('/portal/admin/?f=json', 301), 'slash without end'],
  ['the same with its host', to('http://site.test/portal/admin/', 308), 'slash without end'],
  ['a redirect to another path', to('/other/admin?f=json', 301), 'elsewhere', /\/other\/admin/],
  [
    'a redirect to another host',
    to('https://other.example.org/portal/admin', 307),
    'elsewhere',
    /https:\/\/other\.example\.org\/portal\/admin/,
  ],
  ['a redirect to nowhere', text('', 302), 'elsewhere', /another address/],
  ['a redirect with a root in it', { ...json(root, 302), headers: { location: '/x' } }, 'elsewhere'],
]
