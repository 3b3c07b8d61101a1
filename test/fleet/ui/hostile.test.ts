import { once } from 'node:events'
import { request } from 'node:http'
import { logWrongTokens } from '../../../packages/fleet/src/commands/log-wrong-tokens.js'
import { slowConnections } from '../../support/slow-connections.js'
import { aFleet, aRun } from './a-fleet.js'
import { closePages, served, token } from './served.js'

afterEach(closePages)

const form = 'application/x-www-form-urlencoded'

function post(url: string, path: string, { body = '', headers = {} } = {}) {
  const origin = new URL(url).origin
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { origin, 'content-type': form, ...headers },
    body,
  })
}

const immediate = () => new Promise(resolve => setImmediate(resolve))

test('of 100 wrong tokens at once 8 are checked in a second, none signs in, and all are reported', async () => {
  const waiting: (() => void)[] = []
  const wait = () => new Promise<void>(resolve => waiting.push(resolve))
  const wrong: string[] = []
  const reportWrongToken = (address: string) => void wrong.push(address)
  const { page } = await served(aFleet(), { isGuarded: true, wait, reportWrongToken })
  const guesses = Array.from({ length: 100 }, (_, at) =>
    post(page.url, 'sign-in', { body: `token=guess-${at}` }),
  )
  while (wrong.length < 92) await immediate()
  expect(waiting).toHaveLength(8)
  for (const go of waiting) go()
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(8).fill(401), ...Array(92).fill(429)])
  expect(wrong).toEqual(Array(100).fill('127.0.0.1'))
})

test('wrong tokens are printed once per second, with their sender and number', () => {
  const lines: string[] = []
  let now = 0
  const log = logWrongTokens({
    clock: { now: () => now, monotonicMs: () => now } as never,
    stderr: { print: (text: string) => void lines.push(text) } as never,
  })
  for (; now < 2000; now += 20) log('192.0.2.1')
  expect(lines).toEqual([
    '1970-01-01T00:00:00.000Z wrong token from 192.0.2.1 (1 so far)\n',
    '1970-01-01T00:00:01.000Z wrong token from 192.0.2.1 (51 so far)\n',
  ])
})

test('a stolen cookie opens nothing after the reader has signed out', async () => {
  const { page } = await served(aFleet([aRun(1)]), { isGuarded: true })
  const { headers } = await post(page.url, 'sign-in', { body: `token=${token}` })
  const [cookie = ''] = `${headers.get('set-cookie')}`.split(';')
  const read = async () => (await fetch(new URL('api/fleet', page.url), { headers: { cookie } })).status
  expect(await read()).toBe(200)
  const left = await post(page.url, 'sign-out', { headers: { cookie } })
  expect([left.status, left.headers.get('set-cookie')]).toEqual([
    204,
    expect.stringMatching(/^landform-fleet-\d+=; Max-Age=0; Path=\/$/),
  ])
  expect(await read()).toBe(401)
})

test.each(['sign-in', 'sign-out'])('a page of another site cannot send %s', async path => {
  const { page } = await served(aFleet(), { isGuarded: true })
  for (const headers of [
    { origin: 'https://evil.example.org' },
    { origin: 'https://evil.example.org', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as readonly Record<string, string>[])
    expect((await post(page.url, path, { body: `token=${token}`, headers })).status).toBe(403)
})

test.each(['with its length', 'in chunks'])('a body of 100 MB %s is refused, and not kept', async how => {
  const { page } = await served(aFleet(), { isGuarded: true })
  const length = 100_000_000
  const before = process.memoryUsage().rss
  const sent = request(new URL('sign-in', page.url), {
    method: 'POST',
    headers: {
      origin: new URL(page.url).origin,
      'content-type': form,
      ...(how === 'in chunks' ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
    },
  })
  const closed = new Promise(resolve => sent.once('close', resolve))
  sent.on('error', () => undefined)
  const answered = once(sent, 'response')
  const piece = Buffer.alloc(1_000_000, 'x')
  let written = 0
  const flow = () => {
    while (written < length && !sent.destroyed) {
      written += piece.length
      if (!sent.write(piece)) return
    }
    sent.end()
  }
  sent.on('drain', flow)
  flow()
  const [{ statusCode }] = await answered
  expect(statusCode).toBe(413)
  sent.destroy()
  await closed
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
})

test('500 connections that send a byte at a time keep nobody out', async () => {
  const { page } = await served(aFleet(), { isGuarded: true })
  const sockets = await slowConnections(page.url, 500)
  const begun = performance.now()
  expect((await post(page.url, 'sign-in', { body: `token=${token}` })).status).toBe(204)
  expect(performance.now() - begun).toBeLessThan(2000)
  while (sockets.filter(socket => !socket.destroyed).length > 101) await immediate()
  for (const socket of sockets) socket.destroy()
})
