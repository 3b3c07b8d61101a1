import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { publishedValidator } from '../../support/published-schema.js'
import { begin, configureValues } from '../service/builders.js'

const running: Emulator[] = []
const start = async (options: EmulatorOptions = {}) => {
  const emulator = await startEmulator({ now: () => begin, ...options })
  running.push(emulator)
  const { origin, pathname } = new URL(emulator.url)
  return { ...emulator, control: `${origin}/_emulator/`, origin, pathname }
}
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

const configure = (url: string) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(configureValues()))
    form.append(name, typeof value === 'string' ? value : new File([value], 'license.json'))
  return fetch(`${url}/configure`, { method: 'POST', body: form })
}

/** Sends a request with headers that `fetch` would not send. */
const asked = async (url: string, { method = 'GET', ...headers }: Record<string, string>) => {
  const request = httpRequest(url, { method, headers }).end()
  const [response] = await once(request, 'response')
  return { status: response.statusCode, headers: response.headers, text: (await response.toArray()).join('') }
}

const read = async (url: string) => JSON.parse((await asked(url, {})).text)

const isState = publishedValidator('emulator-state')

describe('the state document', () => {
  test('reports the progress of each site, with the clock of the service', async () => {
    let now = begin
    const emulator = await start({
      now: () => now,
      sites: 3,
      stageMs: { 'License validation': 1000 },
      speed: 2,
    })
    const [one, two] = emulator.sites
    await configure(`${two?.url}`)
    now += 600
    const state = await read(`${emulator.control}state.json`)
    expect(state).toMatchObject({
      formatVersion: 1,
      serviceVersion: '11.2',
      fidelity: 'document',
      scenario: null,
      speed: 2,
      now: begin + 1200,
      sites: [
        { url: one?.url, state: 'new', through: 0 },
        {
          url: two?.url,
          site: new URL(`${two?.url}`).pathname,
          state: 'in_progress',
          through: 2,
          counters: { configure: { received: 1, accepted: 1 }, root: { received: 0, accepted: 0 } },
        },
        { state: 'new' },
      ],
      selected: { site: new URL(`${one?.url}`).pathname, requests: [] },
    })
    expect(state.instance).toBe(emulator.instance)
    expect(state.selected.stages).toHaveLength(14)
    const { pathname } = new URL(`${two?.url}`)
    const { selected } = await read(`${emulator.control}state.json?site=${pathname}`)
    expect(selected).toMatchObject({ site: pathname, requests: [{ operation: 'configure', accepted: true }] })
    expect(selected.stages.slice(0, 2)).toEqual([
      {
        name: 'License validation',
        state: 'completed',
        startTime: begin,
        lastUpdated: begin + 1000,
        durationMs: 1000,
      },
      {
        name: 'Configuration store',
        state: 'in_progress',
        startTime: begin + 1000,
        lastUpdated: begin + 1000,
        durationMs: 250,
      },
    ])
    const whole = { ...state, selected }
    expect([isState(whole), isState.errors]).toEqual([true, null])
    expect([isState(state), isState.errors]).toEqual([true, null])
  })

  test('has the requests of one site, newest first', async () => {
    const emulator = await start({ sites: 2, basePath: '/x' })
    for (let count = 0; count < 3; count += 1)
      for (const { url } of emulator.sites) await (await fetch(url)).text()
    const ids = async (query: string) => {
      const { selected } = await read(`${emulator.control}state.json${query}`)
      return [selected.site, ...selected.requests.map(({ id }: { id: number }) => id)]
    }
    expect(await ids('')).toEqual(['/site-1/x', 5, 3, 1])
    expect(await ids('?site=/site-2/x')).toEqual(['/site-2/x', 6, 4, 2])
  })

  test('has at most two hundred requests', async () => {
    const emulator = await start()
    for (let batch = 0; batch < 5; batch += 1)
      await Promise.all(Array.from({ length: 50 }, async () => (await fetch(emulator.url)).text()))
    const { selected } = await read(`${emulator.control}state.json`)
    expect(selected.requests).toHaveLength(200)
    expect(selected.requests[0].id).toBe(250)
  })

  test.each(['?site=/site-4/x', '?site=', '?site=x'])('is not available at %s', async query => {
    const { control } = await start({ sites: 3, basePath: '/x' })
    const response = await fetch(`${control}state.json${query}`)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 400, message: 'site must be one of the sites of state.json.', details: null } },
    ])
  })
})

describe('the control path', () => {
  const names = ['', 'state.json', 'nothing']

  test.each(names)(
    '"%s" changes nothing, whatever the method, and does not count as a request to the service',
    async name => {
      const emulator = await start()
      const before = await (await fetch(`${emulator.control}state.json`)).text()
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await asked(emulator.control + name, { method })
        expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD'])
      }
      await asked(emulator.control + name, { method: 'HEAD' })
      expect(await (await fetch(`${emulator.control}state.json`)).text()).toBe(before)
      expect(emulator.sites.flatMap(({ requests }) => requests)).toEqual([])
    },
  )

  test('a local program can end an emulator that allows it, and a web page cannot', async () => {
    let stopped = false
    const onStop = () => {
      stopped = true
    }
    const { control } = await start({ onStop })
    const fromPage = { method: 'DELETE', origin: 'https://example.org' }
    expect([(await asked(control, fromPage)).status, stopped]).toEqual([403, false])
    expect([(await asked(`${control}state.json`, { method: 'DELETE' })).status, stopped]).toEqual([
      405,
      false,
    ])
    expect([(await asked(control, { method: 'DELETE' })).status, stopped]).toEqual([204, true])
  })

  test.each(['', 'state.json', 'nothing'])('"%s" is never cached, sniffed or framed', async name => {
    const { control } = await start()
    const { headers } = await asked(control + name, {})
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each<[string, Record<string, string>, number]>([
    ['its own page', { origin: 'ORIGIN', 'sec-fetch-site': 'same-origin' }, 200],
    [
      'its own page under the name localhost',
      { host: 'localhost:PORT', origin: 'http://localhost:PORT' },
      200,
    ],
    ['a URL typed into a browser', { 'sec-fetch-site': 'none' }, 200],
    ['a page of another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }, 403],
    ['a page under the other name', { origin: 'http://localhost:PORT' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['another name for this address', { host: 'evil.example:PORT' }, 421],
  ])('accepts or rejects %s correctly', async (_who, headers, status) => {
    const { control, origin } = await start()
    const { port } = new URL(origin)
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('ORIGIN', origin).replace('PORT', port),
    ])
    for (const name of ['', 'state.json'])
      expect((await asked(control + name, Object.fromEntries(filled))).status).toBe(status)
  })

  test('has another origin policy than the service, which rejects its origin', async () => {
    const { url, origin } = await start()
    expect((await asked(url, { origin })).status).toBe(403)
    expect((await asked(url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await asked(url, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})

describe('the page', () => {
  const browser = { accept: 'text/html,application/xhtml+xml' }

  test("is at the root path for a browser, while programs get the service's 404 there", async () => {
    const { origin, pageUrl, control } = await start()
    expect(pageUrl).toBe(`${origin}/`)
    expect((await asked(origin, browser)).text).toContain('<h1>Landform emulator</h1>')
    expect((await asked(control, {})).text).toContain('<h1>Landform emulator</h1>')
    expect((await asked(control.slice(0, -1), {})).text).toContain('<h1>Landform emulator</h1>')
    expect((await asked(origin, {})).status).toBe(404)
    expect((await asked(`${origin}/?f=json`, browser)).status).toBe(404)
    expect((await asked(origin, { method: 'POST', ...browser })).status).toBe(404)
  })

  test('leaves the root path to a service at that path', async () => {
    const { origin, pageUrl } = await start({ basePath: '/' })
    expect(pageUrl).toBe(`${origin}/_emulator/`)
    expect((await asked(origin, browser)).text).toContain('"fullVersion"')
    expect((await asked(pageUrl, browser)).text).toContain('<h1>Landform emulator</h1>')
  })

  test('is small, and refers to nothing elsewhere', async () => {
    const { control } = await start()
    const { text } = await asked(control, {})
    expect(Buffer.byteLength(text)).toBeLessThan(20_000)
    expect(text.match(/(?:src|href)="[^"]*"/g)).toEqual([
      expect.stringMatching(/^href="data:image/),
      'href="#requests"',
      'href="/_emulator/state.json"',
      'href="/_emulator/state.json"',
    ])
    expect(text).not.toMatch(/ on\w+="|innerHTML|insertAdjacentHTML|document\.write|eval\(/)
  })
})
