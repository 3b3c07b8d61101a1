import { siteReader } from '../../src/client/site-reader.js'
import { noSettings, type SiteSettings } from '../../src/plan/observation.js'
import { Secret } from '../../src/secrets/secret.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { createTokenProvider } from '../../src/secrets/token-provider.js'
import { type Answer, answeringSite, http, json, withoutCacheBuster } from '../support/http-double.js'
import { readyRoot, type SettingAnswers, settingPaths, siteOfSettings } from '../support/site-of-settings.js'

const token = 'canary-token-0123456789'
const provideTestToken = <T>(use: (token: Secret | undefined) => Promise<T>) =>
  use(new Secret(Buffer.from(token)))

async function settingsOf(answers: SettingAnswers, provideToken?: typeof provideTestToken) {
  const site = await siteOfSettings(answers)
  const settings = await siteReader(site.url, provideToken).settings(new AbortController().signal)
  return { settings, requests: site.requests() }
}

type Setting = keyof SiteSettings
const settings: readonly Setting[] = [
  'upgradeConfig',
  'profile',
  'availability',
  'performance',
  'logLevel',
  'systemProperties',
  'cloudStorage',
]
const policy = { nodeAffinity: {}, tolerations: [{ key: 'dedicated', operator: 'Exists' }] }
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('a setting is accepted in the reported form', () => {
  test.each<[Setting, unknown, unknown?]>([
    ['upgradeConfig', { podPlacementPolicy: policy }],
    ['upgradeConfig', { podPlacementPolicy: {} }],
    [
      'upgradeConfig',
      { podPlacementPolicy: { ...policy, more: 1 }, containers: { limits: { memory: '1Gi' } } },
    ],
    [
      'profile',
      { activeProfile: { profileName: 'enhanced-availability' }, more: true },
      'enhanced-availability',
    ],
    ['profile', { activeProfile: { profileName: 'Development' } }, 'development'],
    ['availability', { activeProfile: { profileName: 'Enhanced' } }, 'enhanced'],
    ['performance', { activeProfile: { profileName: 'standard' } }, 'standard'],
    ['logLevel', { maxLogAgeDays: 60, logLevel: 'WARNING', lastModified: 1_700_000_000_000 }, 'WARNING'],
    ['logLevel', { logLevel: 'LOUD' }, 'LOUD'],
    ['systemProperties', {}],
    [
      'systemProperties',
      { containerStartUpTimeoutSeconds: 1800, flag: true, url: 'https://x/', none: 'null' },
    ],
  ])('%s %j', async (name, body, value = body) => {
    const { settings } = await settingsOf({ [name]: json(body) })
    expect(settings).toEqual({ ...noSettings('not-offered'), [name]: { kind: 'read', value } })
  })
})

describe('other forms are not accepted', () => {
  test.each<[Setting, string]>([
    ['upgradeConfig', '{}'],
    ['upgradeConfig', '{"upgradeConfig":{"podPlacementPolicy":{"nodeAffinity":{},"tolerations":[]}}}'],
    ['upgradeConfig', '{"podPlacementPolicy":[]}'],
    ['upgradeConfig', '{"podPlacementPolicy":null}'],
    ['upgradeConfig', '{"podPlacementPolicy":{"nodeAffinity":[]}}'],
    ['upgradeConfig', '{"podPlacementPolicy":{"nodeAffinity":null}}'],
    ['upgradeConfig', '{"podPlacementPolicy":{"tolerations":{}}}'],
    ['upgradeConfig', '{"podPlacementPolicy":{"tolerations":["all"]}}'],
    ['upgradeConfig', '{"podPlacementPolicy":{},"__proto__":{"polluted":true}}'],
    ['upgradeConfig', '{"podPlacementPolicy":{"nodeAffinity":{"__proto__":{}}}}'],
    ['upgradeConfig', `{"podPlacementPolicy":{"nodeAffinity":${deep(40)}}}`],
    ['upgradeConfig', `{"podPlacementPolicy":{"nodeAffinity":${deep(30_000)}}}`],
    ['upgradeConfig', '{"podPlacementPolicy":{},"limit":9007199254740993}'],
    ['upgradeConfig', '{"podPlacementPolicy":{},"limit":1e999}'],
    ['profile', '{"name":"development"}'],
    ['profile', '{"activeProfile":{"profileName":"standard"}}'],
    ['profile', '{"activeProfile":{"profileName":["development"]}}'],
    ['profile', '{"activeProfile":{"profileName":"constructor"}}'],
    ['profile', '{"activeProfile":"development"}'],
    ['profile', '{"profiles":["development"]}'],
    ['profile', '{"__proto__":{"activeProfile":{"profileName":"development"}}}'],
    ['availability', '{"activeProfile":{"profileName":"standard-availability"}}'],
    ['performance', '{"activeProfile":{"profileName":"development"}}'],
    ['cloudStorage', '{"cloudProviders":{}}'],
    ['cloudStorage', '{"providers":[]}'],
    ['cloudStorage', '{"cloudProviders":["AWS"]}'],
    ['cloudStorage', '{"cloudProviders":[{"name":"AWS","cloudServices":[]}]}'],
    ['cloudStorage', '{"cloudProviders":[{"name":"AWS","credential":{"type":"IAM-ROLE"}}]}'],
    ['cloudStorage', '{"cloudProviders":[{"credential":{"type":"IAM-ROLE"},"cloudServices":[]}]}'],
    [
      'cloudStorage',
      '{"cloudProviders":[{"name":"A","credential":{"type":"IAM-ROLE"},"cloudServices":[{"name":"S"}]}]}',
    ],
    ['logLevel', '{"logLevel":""}'],
    ['logLevel', '{"logLevel":3}'],
    ['logLevel', `{"logLevel":"${'x'.repeat(101)}"}`],
    ['logLevel', '{"level":"INFO"}'],
    ['systemProperties', '{"properties":{"containerStartUpTimeoutSeconds":1800}}'],
    ['systemProperties', '{"a":null}'],
    ['systemProperties', '{"__proto__":1}'],
    ...settings.flatMap((name): [Setting, string][] => [
      [name, '[]'],
      [name, 'null'],
      [name, '"development"'],
      [name, ''],
      [name, '<html><title>Sign in</title></html>'],
      [name, '{"name":'],
      [name, '['.repeat(100_000)],
    ]),
  ])('%s %.60s', async (name, body) => {
    const { settings } = await settingsOf({ [name]: http(200, body) })
    expect(settings).toEqual({
      ...noSettings('not-offered'),
      [name]: { kind: 'unreadable', because: 'not-understood' },
    })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

const error = (code: number, status = 200) => json({ error: { code, message: 'No.', details: null } }, status)

/** Every form of rejection: why a setting is unknown without a token, and with one if that differs. */
const rejections: readonly (readonly [string, Answer, string, string?])[] = [
  ['an error body with 499', error(499), 'no-token', 'not-allowed'],
  ['an error body with 498', error(498), 'no-token', 'not-allowed'],
  ['an error body with 403', error(403), 'no-token', 'not-allowed'],
  ['HTTP 401', http(401, ''), 'no-token', 'not-allowed'],
  ['HTTP 403 and a page', http(403, '<html>'), 'no-token', 'not-allowed'],
  ['a bare code 499', json({ code: 499, message: 'Token Required.' }), 'no-token', 'not-allowed'],
  ['a status and 498', json({ status: 'error', messages: ['No.'], code: 498 }), 'no-token', 'not-allowed'],
  ['HTTP 404 and a page', http(404, '<html>'), 'not-offered'],
  ['HTTP 405', http(405, ''), 'not-offered'],
  ['an error body with 404', error(404), 'not-offered'],
  ['an error body with 404 and its status', error(404, 404), 'not-offered'],
  ['an error body with 400', error(400), 'not-offered'],
  ['a status without a code', json({ status: 'error', messages: ['Not found.'] }), 'not-offered'],
  ['a bare code 404', json({ code: 404, message: 'Not found.' }), 'not-offered'],
  [
    'a code next to a number as status',
    json({ status: 404, code: 404, message: 'Not found.' }),
    'not-offered',
  ],
  [
    'the status of a Kubernetes API',
    json({ kind: 'Status', status: 'Failure', code: 403, message: 'No.' }),
    'no-token',
    'not-allowed',
  ],
  ['an empty response', http(204, ''), 'not-offered'],
  ['HTTP 503', http(503, '<html>'), 'no-answer'],
  ['HTTP 429', http(429, ''), 'no-answer'],
  ['an error body with 500', error(500), 'no-answer'],
  ['an error body under 502', error(400, 502), 'no-answer'],
  ['a bare code 500', json({ code: 500, message: 'Out of order.' }), 'no-answer'],
  ['a redirect', http(302, '', 'location: https://evil.example/\r\n'), 'not-understood'],
  ['nothing', { close: 'end' }, 'no-answer'],
  ['half a response', 'HTTP/1.1 200 X\r\ncontent-length: 99\r\n\r\n{"name":', 'no-answer'],
  ['not HTTP', 'SSH-2.0-x\r\n', 'no-answer'],
  ['far too many bytes', http(200, `{"a":"${'x'.repeat(300_000)}"}`), 'no-answer'],
]

describe.each(rejections)('%s is a reason, not a failure', (_, answer, without, withToken = without) => {
  const everywhere = Object.fromEntries(settings.map(name => [name, answer]))

  test.each([
    [without, undefined],
    [withToken, provideTestToken],
  ])('%s', async (because, provideToken) => {
    const { settings } = await settingsOf(everywhere, provideToken)
    expect(settings).toEqual(noSettings(because as 'no-token'))
  })
})

describe('an upgrade', () => {
  const state = (state: unknown) => json({ status: { code: 1, messages: [], state } })
  const config = json({ podPlacementPolicy: policy })

  test.each<[string, Answer, Answer, string]>([
    ['blocks the settings below it', state('in_progress'), error(400), 'upgrading'],
    ['with an unknown state blocks them as well', state('working'), http(503, ''), 'upgrading'],
    ['that never began does not block them', state('no_upgrade'), error(400), 'not-offered'],
    ['that has ended does not block them', state('success'), error(400), 'not-offered'],
    ['that failed does not block them', state('FAILED'), http(503, ''), 'no-answer'],
    ['is not recognized in another form', state(['in_progress']), error(400), 'not-offered'],
    ['is not the reason if the token is', state('in_progress'), error(499), 'no-token'],
    ['does not matter if the configuration is read', state('in_progress'), config, 'read'],
  ])('%s', async (_, upgrades, upgradeConfig, expected) => {
    const { settings } = await settingsOf({ upgrades, upgradeConfig })
    const told = settings.upgradeConfig
    expect(told.kind === 'read' ? 'read' : told.because).toBe(expected)
  })
})

describe('the requests', () => {
  test.each([
    ['without a token', undefined],
    ['with a token', provideTestToken],
  ])('are eight GETs %s, each on its own connection, with no secret in the URL', async (_, provideToken) => {
    const { requests } = await settingsOf({}, provideToken)
    const lines = requests.map(text => withoutCacheBuster(text.split(' HTTP/1.1\r\n')[0] ?? ''))
    const expected = Object.values(settingPaths).map(path => {
      const query = path === settingPaths.cloudStorage ? '?f=json&maskedSecret=true' : '?f=json'
      return `GET /arcgis/admin${path}${query}`
    })
    expect([...lines].sort()).toEqual([...expected].sort())
    const header = `\r\nauthorization: Bearer ${token}\r\n`
    expect(requests.map(text => text.toLowerCase().includes(header.toLowerCase()))).toEqual(
      lines.map(() => provideToken !== undefined),
    )
    expect(requests.every(text => text.endsWith('\r\n\r\n'))).toBe(true)
  })

  test('send no token that a header cannot contain, and no part of it', async () => {
    const lendOdd: typeof provideTestToken = use => use(new Secret(Buffer.from('canary\u00e4 token')))
    const { settings, requests } = await settingsOf({ logLevel: error(499) }, lendOdd)
    expect(settings.logLevel).toEqual({ kind: 'unreadable', because: 'not-allowed' })
    expect(requests.join('')).not.toMatch(/authorization|canary/i)
  })

  test('stop when they are interrupted', async () => {
    const stop = new AbortController()
    const site = await siteOfSettings({
      logLevel: () => {
        stop.abort()
        return []
      },
    })
    const settings = await siteReader(site.url).settings(stop.signal)
    expect(settings.logLevel).toEqual({ kind: 'unreadable', because: 'no-answer' })
  })
})

describe('a poll of the root resource', () => {
  const look = async (root: Answer, provideToken?: typeof provideTestToken) => {
    const site = await siteOfSettings({ root })
    const reply = await siteReader(site.url, provideToken).observe(new AbortController().signal)
    return { reply, heads: site.requests().map(text => /authorization/i.test(text)) }
  }

  test('sends no token if none is required', async () => {
    expect(await look(json(readyRoot), provideTestToken)).toMatchObject({
      reply: { ok: true },
      heads: [false],
    })
  })

  test.each([499, 498, 401, 403])('is repeated with the token if %s requires it', async code => {
    const { reply, heads } = await look(error(code), provideTestToken)
    expect([reply.ok, heads]).toEqual([false, [false, true]])
  })

  test.each([
    ['a redirect', http(302, '', 'location: https://evil.example/login\r\n')],
    ['a redirect with the method', http(307, '', 'location: /login\r\n')],
    ['a login page', http(200, '<!doctype html><form><input name=p type="password"></form>')],
    ['an upper-case login page under 404', http(404, ' \n<HTML><INPUT TYPE=PASSWORD>')],
  ])('is repeated with the token if %s requires it', async (_, root) => {
    const { reply, heads } = await look(root, provideTestToken)
    expect([reply.ok, heads]).toEqual([false, [false, true]])
  })

  test.each([error(500), http(503, ''), http(301, '', 'location: /elsewhere\r\n'), http(200, '<html>')])(
    'is not repeated if no token would help',
    async root => {
      expect((await look(root, provideTestToken)).heads).toEqual([false])
    },
  )

  test('is not repeated without a token', async () => {
    expect((await look(error(499))).heads).toEqual([false])
  })

  test('redacts the token if the site repeats it', async () => {
    const echo = json({ error: { code: 498, message: `Invalid token ${token}, ${token}!`, details: null } })
    const { reply } = await look(echo, provideTestToken)
    expect(reply).toMatchObject({
      ok: false,
      error: { message: 'Invalid token ***, ***!' },
    })
  })
})

test('the token is redacted in the settings of a site that repeats it', async () => {
  const { settings } = await settingsOf(
    { systemProperties: json({ note: token }), logLevel: json({ logLevel: token }) },
    provideTestToken,
  )
  expect(JSON.stringify(settings)).not.toContain(token)
})

test('settings that are rejected because of the token are read once more with a newer one', async () => {
  const site = await answeringSite('', ({ head }) => {
    const isNew = /bearer new-token/i.test(head)
    return isNew ? json({ logLevel: 'WARNING' }) : json({ error: { code: 498, message: 'No.' } })
  })
  let reads = 0
  const source = { ...secretSource({}, '.'), variable: () => (reads++ === 0 ? 'old-token' : 'new-token') }
  const loan = createTokenProvider({ env: 'LANDFORM_TOKEN' }, source)
  const reader = siteReader(site.url, loan)
  const { logLevel } = await reader.settings(new AbortController().signal)
  expect(logLevel).toEqual({ kind: 'read', value: 'WARNING' })
  expect(reads).toBe(2)
})

test('a provided token is wiped after its use', async () => {
  const loan = createTokenProvider({ env: 'LANDFORM_TOKEN' }, secretSource({ LANDFORM_TOKEN: token }, '.'))
  const kept = await loan(async borrowed => borrowed)
  expect(kept?.bytes.every(byte => byte === 0)).toBe(true)
  await expect(
    createTokenProvider({ env: 'LANDFORM_TOKEN' }, secretSource({}, '.'))(async borrowed => borrowed),
  ).resolves.toBeUndefined()
})
