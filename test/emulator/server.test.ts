import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { tap } from '../support/tapped.js'
import { begin, configureValues } from './service/builders.js'

const running: Emulator[] = []
const start = async (options: EmulatorOptions = {}) => {
  const emulator = await startEmulator({ now: () => begin, ...options })
  running.push(emulator)
  return emulator
}
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

const post = async (url: string, body: FormData | URLSearchParams | string, headers = {}) => {
  const response = await fetch(url, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const configureForm = () => {
  const form = new FormData()
  for (const [name, value] of Object.entries(configureValues())) {
    form.append(name, typeof value === 'string' ? value : new File([value], 'license.json'))
  }
  return form
}

/** Sends bytes unchanged, and returns the response once the other side closes the connection. */
const exchangeBytes = async (emulator: Emulator, text: string) => {
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1')
  let answered = ''
  socket.on('data', chunk => {
    answered += chunk
  })
  socket.on('error', () => undefined)
  socket.end(text)
  await once(socket, 'close')
  return answered
}

test('the URL has a loopback address and a random base path without a slash at the end', async () => {
  const [one, other] = [await start(), await start()]
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/admin$/)
  expect(new URL(one.url).pathname).not.toBe(new URL(other.url).pathname)
})

test('a port in use rejects the promise', async () => {
  const { url } = await start()
  await expect(startEmulator({ port: Number(new URL(url).port) })).rejects.toThrow(/EADDRINUSE/)
})

test('every request is recorded, newest last, with the parameters that may be shown', async () => {
  const emulator = await start()
  await fetch(`${emulator.url}?f=json`)
  await post(`${emulator.url}/configure`, configureForm())
  await post(`${emulator.url}/nowhere?a=1`, new URLSearchParams({ f: 'json' }))
  const [asked, configured, lost] = emulator.requests
  expect(asked).toEqual({
    id: 1,
    site: new URL(emulator.url).pathname,
    at: begin,
    method: 'GET',
    path: '',
    operation: 'root',
    contentType: '',
    parameters: [{ kind: 'value', name: 'f', value: 'json', bytes: 4 }],
    more: 0,
    httpStatus: 200,
    accepted: true,
  })
  expect(configured).toMatchObject({
    id: 2,
    path: '/configure',
    operation: 'configure',
    contentType: 'multipart/form-data',
    accepted: true,
  })
  expect(lost).toMatchObject({ path: '/…', operation: 'unknown', httpStatus: 404, accepted: false })
  expect(lost?.parameters.map(({ name }) => name)).toEqual(['?', '?'])
})

test('the whole requests are passed only to a program that requests them', async () => {
  const { inspect, requests } = tap()
  const emulator = await start({ inspect })
  await post(`${emulator.url}/configure`, configureForm())
  await post(`${emulator.url}/nowhere?a=1`, new URLSearchParams({ f: 'json' }))
  const [configured, lost] = requests
  expect(configured?.contentType).toMatch(/^multipart\/form-data; boundary=/)
  expect(configured?.parts).toContainEqual({ kind: 'text', name: 'password', text: 'correct-horse-1' })
  expect(configured?.parts).toContainEqual({
    kind: 'file',
    name: 'licenseFile',
    fileName: 'license.json',
    contentType: 'application/octet-stream',
    bytes: new Uint8Array([1, 2, 3]),
  })
  expect(lost?.parts.map(part => part.name)).toEqual(['a', 'f'])
  expect(JSON.stringify(emulator.requests)).not.toContain('correct-horse')
})

test('only the last thousand requests are kept', async () => {
  const emulator = await start()
  const { host, pathname } = new URL(emulator.url)
  const get = (path: string, header = '') =>
    `GET ${pathname}${path} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n`
  await exchangeBytes(emulator, get('/first') + get('').repeat(999) + get('', 'Connection: close\r\n'))
  expect(emulator.requests).toHaveLength(1000)
  expect(emulator.requests.every(({ operation }) => operation === 'root')).toBe(true)
  expect(emulator.world().counters.root.received).toBe(1000)
})

test('a path outside the base path is not found, even if it begins with it', async () => {
  const emulator = await start()
  const { origin } = new URL(emulator.url)
  for (const url of [origin, `${origin}/configure`, `${emulator.url}x`, `${emulator.url}/x`]) {
    const response = await fetch(url)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 404, details: null } })
  }
})

test('a known path with another method is answered with 405', async () => {
  const { url } = await start()
  const response = await fetch(`${url}/configure`)
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
  expect(await response.json()).toMatchObject({ error: { code: 405 } })
})

test('a request with an Origin is rejected and not recorded', async () => {
  const emulator = await start()
  const origin = new URL(emulator.url).origin
  for (const value of ['https://evil.example', 'null', origin]) {
    const answered = await post(`${emulator.url}/configure`, configureForm(), { origin: value })
    expect(answered).toEqual({
      status: 403,
      body: { error: { code: 403, message: expect.any(String), details: null } },
    })
  }
  expect(emulator.requests).toEqual([])
  expect(emulator.world().configuration).toBeUndefined()
})

test.each([
  'gis.example.org',
  'evil.example:PORT',
  'localhost',
  'localhost.:PORT',
  '[::1]:PORT',
  '0.0.0.0:PORT',
  '127.1:PORT',
  '127.0.0.1',
  '127.0.0.1:1',
  'x@127.0.0.1:PORT',
  '127.0.0.1.evil.example:PORT',
])('a request for the host "%s" is rejected with a sentence that identifies the emulator', async host => {
  const emulator = await start()
  const { port, pathname } = new URL(emulator.url)
  const headers = { host: host.replace('PORT', port) }
  const request = httpRequest({ host: '127.0.0.1', port, path: pathname, headers }).end()
  const [response] = await once(request, 'response')
  const body = (await response.toArray()).join('')
  expect(response.statusCode).toBe(421)
  expect(body).toContain('This is a Landform emulator')
  expect(emulator.requests).toEqual([])
})

test.each([true, false])(
  'a request with two hosts is rejected, even if the right one is first: %s',
  async ownFirst => {
    const emulator = await start()
    const { host, pathname } = new URL(emulator.url)
    const both = [`Host: ${host}`, 'Host: evil.example']
    const lines = ownFirst ? both : both.toReversed()
    const answered = await exchangeBytes(
      emulator,
      `GET ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`,
    )
    expect(answered).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(emulator.requests).toEqual([])
  },
)

test('the emulator listens on no other address of this machine', async () => {
  const emulator = await start()
  const { port } = new URL(emulator.url)
  const others = Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
    .map(({ address }) => address)
  const linux = process.platform === 'linux' ? ['127.0.0.2'] : []
  for (const address of [...others, ...linux]) {
    const socket = connect(Number(port), address)
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: expect.stringMatching(/REFUSED|UNREACH|NOTAVAIL|TIMEDOUT/) })
  }
})

test('hostile bodies get an error body, and the next request is served', async () => {
  const emulator = await start()
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const bodies: readonly (readonly [string, Record<string, string>])[] = [
    ['--b\r\nrubbish', multipart],
    ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n', multipart],
    ['rubbish', { 'content-type': 'multipart/form-data' }],
    ['{"username":"x"}', { 'content-type': 'application/json' }],
    ['%zz=%zz&__proto__=1&constructor=2', form],
    ['&'.repeat(10_000), form],
    ['&'.repeat(100_000), form],
    ['f=pjson&'.repeat(10_000), form],
    [`upgradeConfig=${'['.repeat(100_000)}${']'.repeat(100_000)}&token=t`, form],
  ]
  for (const path of ['', '/configure', '/exportSite', '/system/upgrades/config/update']) {
    for (const [body, headers] of bodies) {
      const answered = await post(emulator.url + path, body, headers)
      expect(answered.status).toBe(200)
      expect(Object.keys(answered.body)).toEqual(
        path === '' && body === '&'.repeat(10_000) ? expect.arrayContaining(['status']) : ['error'],
      )
    }
  }
  expect((await fetch(emulator.url)).status).toBe(200)
})

test.each([
  ['rubbish', 'rubbish\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['an old request without a host', 'GET / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 421 /],
  [
    'the URL of a proxy request',
    'GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 421 /,
  ],
  [
    'a TRACE request',
    'TRACE / HTTP/1.1\r\nHost: HOST\r\nX-Key: k\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 405 (?!.*X-Key)/s,
  ],
  [
    'another protocol',
    'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    /^HTTP\/1\.1 400 /,
  ],
  [
    'two hosts',
    'GET / HTTP/1.1\r\nHost: evil.example\r\nHost: HOST\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 (400|421) /,
  ],
  ['a long URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: HOST\r\n\r\n`, /^HTTP\/1\.1 431 /],
  ['a long header', `GET / HTTP/1.1\r\nHost: HOST\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
  ['a CONNECT request', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', /^$/],
  ['an incomplete body', 'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 9\r\n\r\nabc', /^(HTTP.* 400|$)/],
])('%s does no harm', async (_what, text, expected) => {
  const emulator = await start()
  const { host } = new URL(emulator.url)
  expect(await exchangeBytes(emulator, text.replaceAll('HOST', host))).toMatch(expected)
  expect((await fetch(emulator.url)).status).toBe(200)
  expect(emulator.requests).toHaveLength(1)
})

test('an invalid path is not found', async () => {
  const emulator = await start()
  const { host } = new URL(emulator.url)
  for (const path of ['/%00/..', '/?'.repeat(1000), '//evil.example/']) {
    const text = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
    expect(await exchangeBytes(emulator, text)).toMatch(/^HTTP\/1\.1 404 /)
  }
})

test('closing ends open sockets and requests, and may be called twice', async () => {
  const emulator = await start()
  const { port, host } = new URL(emulator.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`POST /x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\nabc`)
  await fetch(emulator.url)
  const closed = once(socket, 'close')
  await Promise.all([emulator.close(), emulator.close()])
  await closed
  await expect(fetch(emulator.url)).rejects.toThrow()
})

test('an hour of the service passes in a minute with a speed of 60', async () => {
  let now = begin
  const emulator = await start({ now: () => now, speed: 60, stageMs: 60_000 })
  await post(`${emulator.url}/configure`, configureForm())
  const state = async () => {
    const root = (await (await fetch(emulator.url)).json()) as { status: { state: string } }
    return root.status.state
  }
  now += 12_999
  expect(await state()).toBe('in_progress')
  now += 1
  expect(await state()).toBe('ready')
})

test('a thousand sites each have a world and a base path', async () => {
  const emulator = await start({ sites: 1000, stageMs: 0 })
  expect(new Set(emulator.sites.map(site => site.url)).size).toBe(1000)
  await post(`${emulator.sites[499]?.url}/configure`, configureForm())
  const configured = emulator.sites.filter(site => site.world().configuration !== undefined)
  expect(configured.map(site => site.url)).toEqual([emulator.sites[499]?.url])
  expect(emulator.sites[499]?.requests).toHaveLength(1)
  expect(emulator.requests).toEqual([])
})

test('without options the emulator has the newest version and the real clock', async () => {
  const emulator = await startEmulator()
  running.push(emulator)
  await fetch(emulator.url)
  expect(emulator.world()).toMatchObject({ version: '11.2', durations: { 'Queue store': 250 } })
  expect(Math.abs(Date.now() - (emulator.requests[0]?.at ?? 0))).toBeLessThan(60_000)
})

test('a process with an emulator prints nothing, whatever the requests are, and ends after closing it', async () => {
  const program = `
    import { startEmulator } from ${JSON.stringify(new URL('../../src/emulator/server.js', import.meta.url).href)}
    const emulator = await startEmulator()
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const path of ['', '/configure', '/nowhere']) {
      await fetch(emulator.url + path)
      await fetch(emulator.url + path, { method: 'POST', body: 'rubbish', headers })
      await fetch(emulator.url + path, { headers: { origin: 'https://evil.example' } })
    }
    await emulator.close()`
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(await ended).toEqual({ stdout: '', stderr: '' })
})
