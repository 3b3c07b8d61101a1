import type { Socket } from 'node:net'
import { startEmulator } from '../../src/emulator/server.js'
import { deleteAll } from '../../src/operations/delete-all.js'
import { exportSite } from '../../src/operations/export-site.js'
import { listWebhooks } from '../../src/operations/list-webhooks.js'
import type { OneShotPorts } from '../../src/operations/ports.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { answeringSite, http, json, type Reaction } from '../support/answering-site.js'
import { cuttingProxy } from '../support/cutting-proxy.js'
import { anExport, aToken, oneShotOptions, oneShotPorts, oneShotSecrets } from '../support/one-shot.js'
import { freePort, stopRawServers } from '../support/raw-server.js'

afterEach(stopRawServers)

const deletion = { service: { name: 'Roads', type: 'FeatureServer' }, token: aToken } as const
const options = oneShotOptions()
const operations = {
  export: (url: string) => exportSite(anExport(), oneShotPorts(url), options),
  check: (url: string) => exportSite(anExport({ validate: true }), oneShotPorts(url), options),
  deletion: (url: string) => deleteAll(deletion, oneShotPorts(url), options),
} as const
const names = Object.keys(operations) as (keyof typeof operations)[]

const reset = (socket: Socket) => socket.resetAndDestroy()
const hangUp = (socket: Socket) => socket.end()
const half = 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"status":'
const error = (code: number, status = 200) => json({ error: { code, message: 'No.', details: null } }, status)

/** Answers that are no success, by what they leave open; a check changes nothing, so that it leaves nothing open. */
const certain: readonly (readonly [string, Reaction, string])[] = [
  ['an error body', error(500), 'refused'],
  ['an error body with a list', json({ error: { code: 500, message: 'No.', details: [] } }), 'refused'],
  ['an error body with 404', error(404, 404), 'refused'],
  ['the other error body', json({ status: 'error', messages: ['No.'], code: 500 }), 'refused'],
  ['401', http(401, ''), 'unauthorized'],
  ['403 with a page', http(403, '<html>'), 'unauthorized'],
  ['498 in the body', error(498), 'unauthorized'],
  ['499 in the body', error(499), 'unauthorized'],
]
const uncertain: readonly (readonly [string, Reaction, string])[] = [
  ['a reset', reset, 'no-answer'],
  ['a hang-up', hangUp, 'no-answer'],
  ['half an answer', half, 'no-answer'],
  ['a flood', http(200, 'x'.repeat(5 * 1024 * 1024)), 'no-answer'],
  ['bytes that are no HTTP', 'nonsense\r\n\r\n', 'no-answer'],
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

describe.each(names)('the outcome of an %s', name => {
  test.each(certain)('is that nothing was done: %s', async (_what, reaction, kind) => {
    const site = await answeringSite(reaction)
    expect(await operations[name](site.url)).toMatchObject({ kind: 'not-taken', failure: { kind } })
    expect(site.posts().length).toBe(1)
    expect(site.received().length).toBe(1)
  })

  test.each(uncertain)('is unknown, unless it was a check: %s', async (_what, reaction, kind) => {
    const site = await answeringSite(reaction)
    const expected = name === 'check' ? 'not-taken' : 'unknown'
    expect(await operations[name](site.url)).toMatchObject({ kind: expected, failure: { kind } })
    expect(site.posts().length).toBe(1)
    expect(site.received().length).toBe(1)
  })

  test('is that nothing was sent where nobody listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/admin`
    expect(await operations[name](url)).toMatchObject({ kind: 'not-taken', failure: { kind: 'not-sent' } })
  })

  test.each(['before-the-site', 'after-the-site'] as const)(
    'is unknown where it is cut off %s',
    async cut => {
      const emulator = await startEmulator()
      const proxy = await cuttingProxy(emulator.url, cut)
      try {
        const outcome = await operations[name](proxy.url)
        expect(outcome.kind).toBe(name === 'check' ? 'not-taken' : 'unknown')
        expect(proxy.posts()).toBe(1)
        expect(emulator.requests.length).toBe(cut === 'after-the-site' ? 1 : 0)
      } finally {
        await proxy.close()
        await emulator.close()
      }
    },
  )

  test('is unknown where the time is up', async () => {
    const site = await answeringSite(() => undefined)
    const run = name === 'deletion' ? deleteAll : exportSite
    const request = name === 'deletion' ? deletion : anExport({ validate: name === 'check' })
    const short = oneShotOptions({ deadlineMs: 1000 })
    expect(await run(request as never, oneShotPorts(site.url), short)).toMatchObject({
      kind: name === 'check' ? 'not-taken' : 'unknown',
      failure: { kind: 'no-answer' },
    })
    expect(site.posts().length).toBe(1)
  })

  test('is that nothing was sent without its secrets', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    const ports = oneShotPorts(site.url, {})
    const outcome =
      name === 'deletion'
        ? await deleteAll(deletion, ports, options)
        : await exportSite(anExport({ validate: name === 'check' }), ports, options)
    expect(outcome).toMatchObject({ kind: 'references', diagnostics: [{ code: 'secret/missing' }] })
    expect(site.received()).toEqual([])
  })

  test('is an interrupt where one came before anything was sent', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    const stopped = oneShotOptions({ signal: AbortSignal.abort() })
    const ports = oneShotPorts(site.url)
    const outcome =
      name === 'deletion'
        ? await deleteAll(deletion, ports, stopped)
        : await exportSite(anExport({ validate: name === 'check' }), ports, stopped)
    expect(outcome).toEqual({ kind: 'interrupted' })
    expect(site.received()).toEqual([])
  })
})

test('a request under way is not cut off by an interrupt', async () => {
  const stop = new AbortController()
  const site = await answeringSite(socket => {
    stop.abort()
    socket.end(json({ status: 'success' }))
  })
  const outcome = await deleteAll(deletion, oneShotPorts(site.url), oneShotOptions({ signal: stop.signal }))
  expect(outcome).toEqual({ kind: 'done' })
})

describe('a success', () => {
  test.each([
    [
      'an export',
      anExport(),
      { status: 'success', location: '/b/x.portalsite' },
      { kind: 'done', location: '/b/x.portalsite' },
    ],
    [
      'an export with a warning',
      anExport(),
      { status: 'success with warning', location: '/b/x.portalsite', messages: ['a', 'b'] },
      { kind: 'warned', location: '/b/x.portalsite', messages: ['a', 'b'] },
    ],
    [
      'a warning without a reason',
      anExport(),
      { status: 'success with warning', location: '/b/x.portalsite' },
      { kind: 'warned', location: '/b/x.portalsite', messages: [] },
    ],
    [
      'a flood of warnings',
      anExport(),
      { status: 'success with warning', location: 'x', messages: Array(1000).fill('a') },
      { kind: 'warned', location: 'x', messages: Array(50).fill('a') },
    ],
    ['a check', anExport({ validate: true }), { status: 'success' }, { kind: 'done' }],
    [
      'a check that exported',
      anExport({ validate: true }),
      { status: 'success', location: 'x' },
      { kind: 'warned', location: 'x', messages: [expect.stringMatching(/only a check/)] },
    ],
    [
      'an export that names no file, which may not be there',
      anExport(),
      { status: 'success' },
      { kind: 'unknown', failure: { kind: 'not-understood', status: 200, reason: expect.any(String) } },
    ],
  ])('%s', async (_what, request, answer, expected) => {
    const site = await answeringSite(json(answer))
    expect(await exportSite(request, oneShotPorts(site.url), options)).toEqual(expected)
    expect(site.posts().length).toBe(1)
  })

  test('a deletion on the emulator leaves no webhook, and those of others alone', async () => {
    const token = oneShotSecrets.LANDFORM_TOKEN
    const emulator = await startEmulator({
      token,
      webhooks: { 'Roads.FeatureServer': 3, 'Roads.GPServer': 2 },
    })
    try {
      expect(await deleteAll(deletion, oneShotPorts(emulator.url), options)).toEqual({ kind: 'done' })
      expect(Object.fromEntries(emulator.world().webhooks ?? [])).toEqual({
        'Roads.FeatureServer': 0,
        'Roads.GPServer': 2,
      })
    } finally {
      await emulator.close()
    }
  })
})

describe('a look at webhooks', () => {
  test.each<[string, Reaction, Record<string, unknown>]>([
    ['a list', json([{ name: 'a' }]), { kind: 'listed', webhooks: { count: 1, names: ['a'] } }],
    ['what is no list', json({}), { kind: 'not-said' }],
    ['a refusal', error(404), { kind: 'not-said', failure: { kind: 'refused', code: 404 } }],
    ['no sign-in', error(499), { kind: 'not-said', failure: { kind: 'unauthorized', code: 499 } }],
    ['a reset', reset, { kind: 'not-said', failure: { kind: 'no-answer' } }],
    ['trouble', http(503, ''), { kind: 'not-said', failure: { kind: 'trouble', status: 503 } }],
  ])('answered with %s', async (_what, reaction, expected) => {
    const site = await answeringSite('', reaction)
    expect(await listWebhooks(deletion, oneShotPorts(site.url), options)).toMatchObject(expected)
    expect([site.gets().length, site.posts().length]).toEqual([1, 0])
  })

  test('tells that nobody listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/admin`
    expect(await listWebhooks(deletion, oneShotPorts(url), options)).toMatchObject({ kind: 'not-reached' })
  })

  test('can be interrupted', async () => {
    const stop = new AbortController()
    const site = await answeringSite('', () => stop.abort())
    const interrupted = oneShotOptions({ signal: stop.signal })
    expect(await listWebhooks(deletion, oneShotPorts(site.url), interrupted)).toEqual({ kind: 'interrupted' })
  })
})

describe('a token that is refused for what it is', () => {
  /** A site that takes the new token only, and people who find one token after the other in their variable. */
  async function refusing(code: number, tokens: readonly string[]) {
    const done = json({ status: 'success', location: '/backups/a.portalsite' })
    const site = await answeringSite(socket => {
      const { body = '' } = site.posts().at(-1) ?? {}
      socket.end(body.includes('token=new') ? done : (error(code) as string))
    })
    let reads = 0
    const secrets = secretSource({}, '.')
    const source = { ...secrets, variable: () => tokens[Math.min(reads++, tokens.length - 1)] }
    return { site, ports: { ...oneShotPorts(site.url), secrets: source } }
  }

  test.each([
    ['498', 498, ['old', 'new'], 'done', 2],
    ['499', 499, ['old', 'new'], 'done', 2],
    ['498, and there is no other', 498, ['old'], 'not-taken', 1],
    ['498, and the other one too', 498, ['old', 'older', 'new'], 'not-taken', 2],
    ['403, which is about the role', 403, ['old', 'new'], 'not-taken', 1],
    ['500, which says nothing of it', 500, ['old', 'new'], 'not-taken', 1],
  ])('lets the request be sent once more with another: %s', async (_, code, tokens, kind, times) => {
    for (const operation of [
      (ports: OneShotPorts) => exportSite(anExport(), ports, options),
      (ports: OneShotPorts) => deleteAll(deletion, ports, options),
    ]) {
      const { site, ports } = await refusing(code, tokens)
      expect((await operation(ports)).kind).toBe(kind)
      expect(site.posts()).toHaveLength(times)
    }
  })
})
