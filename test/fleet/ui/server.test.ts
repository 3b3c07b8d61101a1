import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { startFleetPage } from '../../../packages/fleet/src/ui/server.js'
import { aFleet, aRun, stagesOf } from './a-fleet.js'
import { closePages, served, token } from './served.js'

afterEach(closePages)

interface Asked {
  readonly method?: string
  /** By name, or names and values in turn where one comes twice. */
  readonly headers?: Readonly<Record<string, string>> | readonly string[]
  readonly body?: string
}

/** Asks with the very headers that are given: `fetch` keeps some to itself. */
async function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers }, resolve).on('error', reject).end(body)
  })
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
}

const at = (url: string, path: string) => new URL(path, url).href
const form = 'application/x-www-form-urlencoded'
const signIn = (url: string, value: string, headers = {}) =>
  ask(at(url, 'sign-in'), {
    method: 'POST',
    headers: { origin: new URL(url).origin, 'content-type': form, ...headers },
    body: `token=${encodeURIComponent(value)}`,
  })

test('everything that a browser gets forbids it to keep it, to guess it, to frame it and to run anything else', async () => {
  const { page } = await served()
  for (const path of ['', 'page.js', 'page.css', 'icon.svg', 'api/fleet', 'nothing']) {
    const { headers } = await ask(at(page.url, path))
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/)
  }
  const { headers, text } = await ask(page.url)
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(text).not.toMatch(/<style|style=|<script>|\bon\w+=/)
})

test('the fleet comes with its counts, and only where it changed', async () => {
  const site = aRun(1, { state: 'running', stages: stagesOf(5), warnings: ['low on space'] })
  const { page, fleet, clock } = await served(aFleet([site, aRun(2)]))
  const first = await ask(at(page.url, 'api/fleet'))
  expect(JSON.parse(first.text)).toMatchObject({
    formatVersion: 1,
    now: fleet.now,
    where: 'postgres://db.example.org/fleet',
    trouble: null,
    counts: { running: 1, done: 1, failed: 0 },
    sites: [
      { name: 'site-1', through: 5, stages: 14, stage: 'In-memory store', warnings: 1 },
      { name: 'site-2' },
    ],
    rollouts: [{ id: 'spring', counts: [{ wave: 1, state: 'running', runs: 1 }, { state: 'done' }] }],
    workers: [{ worker: 'worker-1', isSilent: false }],
  })
  const etag = `${first.headers.etag}`
  const again = await ask(at(page.url, 'api/fleet'), { headers: { 'if-none-match': etag } })
  expect([again.status, again.text]).toEqual([304, ''])
  fleet.put({ ...site, state: 'failed' })
  clock.now += 1000
  const changed = await ask(at(page.url, 'api/fleet'), {
    headers: { 'if-none-match': etag, 'accept-encoding': 'gzip' },
  })
  expect(changed.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(changed.bytes).toString()).counts).toMatchObject({ running: 0, failed: 1 })
})

test('one site comes with its runs, and an earlier run where it is asked for', async () => {
  const { page } = await served(aFleet([aRun(1, { state: 'failed' }), aRun(1, { generation: 2 })]))
  const path = `api/sites/${encodeURIComponent(aRun(1).site)}`
  const newest = await ask(at(page.url, path))
  expect(JSON.parse(newest.text)).toMatchObject({
    formatVersion: 1,
    run: { generation: 2, state: 'done' },
    runs: [{ generation: 2 }, { generation: 1, state: 'failed' }],
  })
  const earlier = await ask(at(page.url, `${path}?generation=1`))
  expect(JSON.parse(earlier.text)).toMatchObject({ run: { generation: 1, state: 'failed' } })
})

test.each([
  ['api/sites/https%3A%2F%2Fnowhere', 404],
  ['api/sites/%', 404],
  ['api/sites/%FF', 404],
  ['api/sites/%00', 400],
  ['api/sites/x?generation=0', 400],
  ['api/sites/x?generation=1.5', 400],
  ['api/sites/x?generation=99999999999', 400],
  ['api/sites/x/y', 404],
  ['api/', 404],
  ['__proto__', 404],
  ['constructor', 404],
])('%s is answered with %i and a sentence', async (path, status) => {
  const { page } = await served()
  const answer = await ask(at(page.url, path))
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.text).error.message).toMatch(/^[A-Z].*\.$/)
})

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'POST'])('%s changes nothing', async method => {
  const { page } = await served()
  const origin = new URL(page.url).origin
  const answer = await ask(at(page.url, 'api/fleet'), { method, headers: { origin } })
  expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('a database that does not answer is told, with what was seen last', async () => {
  const { page, fleet, clock } = await served(aFleet([aRun(1)]))
  await ask(at(page.url, 'api/fleet'))
  fleet.trouble = 'ECONNREFUSED'
  clock.now += 1000
  const { status, text } = await ask(at(page.url, 'api/fleet'))
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({
    trouble: { message: 'the database cannot be reached' },
    sites: [{ name: 'site-1' }],
  })
  const site = await ask(at(page.url, `api/sites/${encodeURIComponent(aRun(1).site)}`))
  expect([site.status, JSON.parse(site.text).error.message]).toEqual([
    503,
    'The site cannot be read: the database cannot be reached.',
  ])
})

describe('a page for this machine', () => {
  test.each([
    ['its own address', '127.0.0.1:PORT', 200],
    ['localhost', 'localhost:PORT', 200],
    ['the loopback of IPv6', '[::1]:PORT', 200],
    ['a name that was made to lead here', 'evil.example.org:PORT', 421],
    ['another port', '127.0.0.1:1', 421],
    ['no port', '127.0.0.1', 421],
    ['another address', '192.0.2.1:PORT', 421],
    ['a name that only begins well', 'localhost.evil.example.org:PORT', 421],
    ['two', ['127.0.0.1:PORT', 'evil.example.org'], 421],
  ])('is asked by %s', async (_, host, status) => {
    const { page } = await served()
    const { port } = new URL(page.url)
    const hosts = [host].flat().map(one => one.replace('PORT', port))
    const headers = hosts.flatMap(one => ['host', one])
    expect((await ask(page.url, { headers })).status).toBe(status)
  })

  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
    ['a page of the same domain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
    ['a link of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 403],
    ['its own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200],
    ['a person', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
  ])('tells the fleet to %s or not', async (_, headers, status) => {
    const { page } = await served()
    expect((await ask(at(page.url, 'api/fleet'), { headers })).status).toBe(status)
  })

  test('is reached by a link of another site, for the page alone shows nothing', async () => {
    const { page } = await served()
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await ask(page.url, { headers })).status).toBe(200)
  })
})

describe('a page for others', () => {
  const everywhere = { listen: { host: '0.0.0.0', port: 0 }, names: ['fleet.example.org'], isGuarded: true }

  test.each([
    ['fleet.example.org', 401],
    ['fleet.example.org:8443', 401],
    ['FLEET.example.org', 401],
    ['192.0.2.7:8787', 401],
    ['[2001:db8::1]:8787', 401],
    ['localhost:9999', 401],
    ['evil.example.org', 421],
    ['fleet.example.org.evil.example.org', 421],
  ])('answers to %s with %i', async (host, status) => {
    const { page } = await served(aFleet(), everywhere)
    const url = page.url.replace('0.0.0.0', '127.0.0.1')
    expect((await ask(at(url, 'api/fleet'), { headers: { host } })).status).toBe(status)
  })
})

describe('a page with a token', () => {
  const secret = aRun(1, { name: 'athens' })
  const start = async () => (await served(aFleet([secret]), { isGuarded: true })).page.url

  test('shows nothing of the fleet before', async () => {
    const url = await start()
    for (const path of [
      '',
      'page.js',
      'page.css',
      'api/fleet',
      'events',
      `api/sites/${encodeURIComponent(secret.site)}`,
    ])
      expect((await ask(at(url, path))).text).not.toContain('athens')
    expect((await ask(at(url, 'events'))).status).toBe(401)
    expect((await ask(at(url, 'api/fleet'))).headers['www-authenticate']).toBe('Bearer')
  })

  test('is read by programs that bring it', async () => {
    const headers = { authorization: `Bearer ${token}` }
    expect((await ask(at(await start(), 'api/fleet'), { headers })).text).toContain('athens')
  })

  test('gives a cookie that is no token, for this page alone and out of reach of scripts', async () => {
    const url = await start()
    const { status, headers, text } = await signIn(url, token)
    const [cookie = ''] = headers['set-cookie'] ?? []
    expect([status, text]).toEqual([204, ''])
    expect(cookie).toMatch(
      new RegExp(`^landform-fleet-${new URL(url).port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    )
    const [pair = ''] = cookie.split(';')
    const read = await ask(at(url, 'api/fleet'), { headers: { cookie: `other=1; ${pair}` } })
    expect(read.text).toContain('athens')
    const forged = await ask(at(url, 'api/fleet'), { headers: { cookie: `${pair}x` } })
    expect(forged.status).toBe(401)
  })

  test('gives a cookie for safe connections only where the page came over one', async () => {
    const url = await start()
    const { headers } = await signIn(url, token, { origin: new URL(url).origin.replace('http:', 'https:') })
    expect(headers['set-cookie']?.[0]).toMatch(/; Secure; SameSite=Strict$/)
  })

  test('forgets who signed in half a day ago', async () => {
    const { page, clock } = await served(aFleet(), { isGuarded: true })
    const { headers } = await signIn(page.url, token)
    const [cookie = ''] = `${headers['set-cookie']}`.split(';')
    const status = async () => (await ask(at(page.url, 'api/fleet'), { headers: { cookie } })).status
    expect(await status()).toBe(200)
    clock.now += 12 * 60 * 60_000
    expect(await status()).toBe(401)
  })

  test.each([
    ['a page of another site', 'https://evil.example.org'],
    ['a page without an origin', 'null'],
  ])('lets %s sign nobody in', async (_, origin) => {
    expect((await signIn(await start(), token, { origin })).status).toBe(403)
  })

  test('wants an origin of who signs in', async () => {
    const url = at(await start(), 'sign-in')
    expect((await ask(url, { method: 'POST', body: `token=${token}` })).status).toBe(403)
  })

  test('refuses a long body before it has read it', async () => {
    const answer = await signIn(await start(), 'x'.repeat(10_000))
    expect(answer.status).toBe(413)
  })

  test('holds few wrong tokens back at once, and guessers lock the right one out for nobody', async () => {
    const waiting: (() => void)[] = []
    const wait = () => new Promise<void>(resolve => waiting.push(resolve))
    const { page } = await served(aFleet(), { isGuarded: true, wait })
    const wrong = Array.from({ length: 8 }, () => signIn(page.url, 'wrong'))
    while (waiting.length < 8) await new Promise(resolve => setImmediate(resolve))
    const withToken = (text: string) =>
      ask(at(page.url, 'api/fleet'), { headers: { authorization: `Bearer ${text}` } })
    const guessed = await Promise.all([signIn(page.url, 'wrong too'), withToken('wrong-too')])
    expect(guessed.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [429, '1'],
      [429, '1'],
    ])
    const right = await Promise.all([signIn(page.url, token), withToken(token)])
    expect(right.map(({ status }) => status)).toEqual([204, 200])
    for (const go of waiting) go()
    for (const answer of await Promise.all(wrong))
      expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined])
    expect((await signIn(page.url, token)).status).toBe(204)
  })
})

test('who opens many connections and never ends a request keeps nobody else out', async () => {
  const { page } = await served(aFleet(), { isGuarded: true })
  const { host, hostname, port } = new URL(page.url)
  const halves = [
    `GET / HTTP/1.1\r\nhost: ${host}\r\n`,
    `POST /sign-in HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncontent-length: 50\r\n\r\ntoken=`,
    '',
  ]
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, at) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(halves[at % halves.length] ?? '')
      return socket
    }),
  )
  expect((await signIn(page.url, token)).status).toBe(204)
  for (const socket of sockets) socket.destroy()
})

test('without a token nobody has to sign in', async () => {
  const { page } = await served()
  expect((await signIn(page.url, 'x')).status).toBe(404)
})

test('a port that is taken is an error with its code', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const started = startFleetPage({ source: aFleet(), listen: { host: '127.0.0.1', port } })
  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await new Promise(resolve => other.close(resolve))
})
