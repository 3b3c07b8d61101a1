import { type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { httpDouble } from '../support/http-double.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { aFleet, aRun, served, stagesOf, token } from '../support/served-fleet.js'

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends exactly the given headers: `fetch` does not send all of them. */
async function ask(url: string, { method = 'GET', headers = {} }: Asked = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers }, resolve).on('error', reject).end()
  })
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
}

const at = (url: string, path: string) => new URL(path, url).href

test('every response forbids the browser to cache it, sniff it, frame it and load anything else', async () => {
  const { url } = await served()
  for (const path of ['', 'page.js', 'page.css', 'icon.svg', 'api/fleet', 'nothing']) {
    const { headers } = await ask(at(url, path))
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
  }
  expect((await ask(url)).text).not.toMatch(/<style|style=|<script>|\bon\w+=/)
})

test('the fleet is sent as in `fleet status`, and only if it has changed', async () => {
  const site = aRun(1, { state: 'running', stages: stagesOf(5), warnings: ['low on space'] })
  const { url, fleet } = await served(aFleet([site, aRun(2)]))
  const first = await ask(at(url, 'api/fleet'))
  const document = JSON.parse(first.text)
  expect(listSchemaErrors('fleet-runs', document)).toEqual([])
  expect(document).toMatchObject({
    summary: { sites: 2, running: 1, done: 1 },
    sites: [{ site: 'site-1', warnings: ['low on space'] }, { site: 'site-2' }],
    rollouts: [{ id: 'spring' }],
    workers: [{ worker: 'worker-1', isSilent: false }],
  })
  const known = { 'if-none-match': `${first.headers.etag}` }
  // A heartbeat is not a change.
  fleet.beatAt += 2500
  const again = await ask(at(url, 'api/fleet'), { headers: known })
  expect([again.status, again.text]).toEqual([304, ''])
  fleet.runs = [{ ...site, state: 'failed' }, aRun(2)]
  const changed = await ask(at(url, 'api/fleet'), { headers: { ...known, 'accept-encoding': 'gzip' } })
  expect(changed.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(changed.bytes).toString()).summary).toMatchObject({ running: 0, failed: 1 })
})

test('all open pages share one query a second', async () => {
  let now = 0
  const { url, fleet } = await served(aFleet([aRun(1)]), { now: () => now })
  await Promise.all(Array.from({ length: 20 }, () => ask(at(url, 'api/fleet'))))
  expect(fleet.reads).toBe(1)
  now = 1000
  await ask(at(url, 'api/fleet'))
  expect(fleet.reads).toBe(2)
})

test.each(['api/', 'api/sites/x', '__proto__', 'constructor', '%', 'api/fleet/x'])(
  '%s does not exist, and the response says so',
  async path => {
    const { url } = await served()
    const { status, text } = await ask(at(url, path))
    expect(status).toBe(404)
    expect(JSON.parse(text).error.message).toMatch(/^[A-Z].*\.$/)
  },
)

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'POST'])('%s changes nothing', async method => {
  const { url } = await served()
  const answer = await ask(at(url, 'api/fleet'), { method })
  expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('a database that does not respond is reported without its address', async () => {
  const { url, fleet } = await served(aFleet([aRun(1)]))
  fleet.trouble = 'ECONNREFUSED'
  const { status, text } = await ask(at(url, 'api/fleet'))
  expect([status, JSON.parse(text).error.message]).toEqual([
    503,
    'The fleet cannot be read: the database cannot be reached.',
  ])
})

describe('a page on this machine', () => {
  test.each([
    ['its own address', '127.0.0.1:PORT', 200],
    ['localhost', 'localhost:PORT', 200],
    ['the IPv6 loopback address', '[::1]:PORT', 200],
    ['a name that was rebound to this address', 'evil.example.org:PORT', 421],
    ['the address of a tunnel', '127.0.0.1', 200],
    ['a name with the right beginning', 'localhost.evil.example.org:PORT', 421],
  ])('may or may not be requested through %s', async (_, host, status) => {
    const { url } = await served()
    const { port } = new URL(url)
    const headers = { host: host.replace('PORT', port) }
    expect((await ask(at(url, 'api/fleet'), { headers })).status).toBe(status)
  })

  test.each([
    ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
    ['a script of the same domain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
    ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 403],
    ['its own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200],
    ['a typed URL', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
  ])('shows the fleet to %s or not', async (_, headers, status) => {
    const { url } = await served()
    expect((await ask(at(url, 'api/fleet'), { headers: { ...headers } })).status).toBe(status)
  })

  test('can be opened by a link on another site, since the page itself contains no data', async () => {
    const { url } = await served()
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await ask(url, { headers })).status).toBe(200)
  })
})

test.each([
  ['fleet.example.org', 401],
  ['fleet.example.org:8443', 401],
  ['FLEET.example.org', 401],
  ['192.0.2.7:8787', 401],
  ['[2001:db8::1]:8787', 401],
  ['localhost:9999', 401],
  ['evil.example.org', 421],
  ['fleet.example.org.evil.example.org', 421],
])('a page for other machines answers %s with %i', async (host, status) => {
  const options = { listen: { host: '0.0.0.0', port: 0 }, names: ['Fleet.example.org'], isGuarded: true }
  const { url } = await served(aFleet(), options)
  expect(
    (await ask(at(url.replace('0.0.0.0', '127.0.0.1'), 'api/fleet'), { headers: { host } })).status,
  ).toBe(status)
})

test('a page with a token shows nothing of the fleet without it', async () => {
  const { url, fleet } = await served(aFleet([aRun(1, { name: 'athens' })]), { isGuarded: true })
  for (const path of ['', 'page.js', 'page.css', 'api/fleet'])
    expect((await ask(at(url, path))).text).not.toContain('athens')
  const get = (authorization: string) => ask(at(url, 'api/fleet'), { headers: { authorization } })
  for (const wrong of ['', 'Bearer', 'Bearer wrong', `Bearer ${token}x`, `Basic ${token}`, token]) {
    const { status, headers } = await get(wrong)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  }
  expect(fleet.reads).toBe(0)
  expect((await get(`Bearer ${token}`)).text).toContain('athens')
})

test('a port in use is an error with its code', async () => {
  const { port } = await httpDouble([])
  await expect(served(aFleet(), { listen: { host: '127.0.0.1', port } })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})
