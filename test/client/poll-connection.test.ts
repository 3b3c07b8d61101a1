import { hasSubscribers } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { waitUntilReady } from '../../src/apply/wait-until-ready.js'
import { createPollConnection } from '../../src/client/poll-connection.js'
import { siteReader } from '../../src/client/site-reader.js'
import { startRawServer, stopRawServers } from '../support/raw-server.js'
import { virtualClock } from '../support/virtual-clock.js'

afterEach(stopRawServers)

const answer = (body: string, header = '') =>
  `HTTP/1.1 200 OK\r\n${header}content-length: ${body.length}\r\n\r\n${body}`

const requestsOn = (received: string) => received.split('GET ').length - 1

/** Answers each request, told which it is on its connection and which of all connections that is. */
async function aSite(behave: (socket: Socket, request: number, connection: number) => void) {
  const sockets: Socket[] = []
  const server = await startRawServer((socket, received) => {
    if (!sockets.includes(socket)) sockets.push(socket)
    if (received.endsWith('\r\n\r\n')) behave(socket, requestsOn(received), sockets.indexOf(socket) + 1)
  })
  const url = `http://127.0.0.1:${server.port}`
  return { url, looksByConnection: () => server.received.map(requestsOn) }
}

const limits = { path: '/?f=json', deadlineMs: 5_000, signal: new AbortController().signal }

async function looksAt(url: string, looks: number) {
  const line = createPollConnection()
  const replies = []
  for (let look = 0; look < looks; look += 1) replies.push(await line.get({ url, ...limits }))
  line.close()
  return replies.map(({ ok }) => ok)
}

test('looks in a row go over one connection, and after twenty over a new one', async () => {
  const site = await aSite(socket => socket.write(answer('{}')))
  await looksAt(site.url, 43)
  expect(site.looksByConnection()).toEqual([20, 20, 3])
})

test.each<[string, (socket: Socket) => void]>([
  ['the site is about to close it', socket => socket.write(answer('{}', 'connection: close\r\n'))],
  ['the site keeps it for a second', socket => socket.write(answer('{}', 'keep-alive: timeout=1\r\n'))],
  ['there is more on it than was asked for', socket => socket.write(answer('{}') + answer('{}'))],
  ['what came was left unread', socket => socket.write(answer('{}', 'content-encoding: gzip\r\n'))],
])('a connection serves one look where %s', async (_what, behave) => {
  const site = await aSite(behave)
  expect(await looksAt(site.url, 3)).toEqual([true, true, true])
  expect(site.looksByConnection()).toEqual([1, 1, 1])
})

test('looks at a site that closes every connection all come to something', async () => {
  const site = await aSite((socket, request) => request === 1 && socket.end(answer('{}')))
  expect(await looksAt(site.url, 3)).toEqual([true, true, true])
  // Whether the end of one or the next look is seen first is chance.
  expect(site.looksByConnection().length).toBe(3)
})

test('a look over a connection that dies under it is made anew, once', async () => {
  const site = await aSite((socket, request, connection) =>
    request === 1 && connection < 3 ? socket.write(answer('{}')) : socket.resetAndDestroy(),
  )
  // The second dies where it was kept, and is made on a new connection; so does the third, whose new one dies too.
  expect(await looksAt(site.url, 3)).toEqual([true, true, false])
  expect(site.looksByConnection()).toEqual([2, 2, 1])
})

test('an answer that is none is not asked for again', async () => {
  const site = await aSite((socket, request) =>
    socket.write(request === 1 ? answer('{}') : 'no HTTP\r\n\r\n'),
  )
  expect(await looksAt(site.url, 2)).toEqual([true, false])
  expect(site.looksByConnection()).toEqual([2])
})

test('nobody listens to what undici tells of requests once the line is closed', async () => {
  const site = await aSite(socket => socket.write(answer('{}')))
  const line = createPollConnection()
  await line.get({ url: site.url, ...limits })
  expect(hasSubscribers('undici:client:sendHeaders')).toBe(true)
  line.close()
  expect(hasSubscribers('undici:client:sendHeaders')).toBe(false)
})

test('no other site is asked over it, and no second look before the first is answered', async () => {
  const [one, other] = [
    await aSite(socket => socket.write(answer('{}'))),
    await aSite(socket => socket.write(answer('{}'))),
  ]
  const line = createPollConnection()
  await line.get({ url: one.url, ...limits })
  await line.get({ url: other.url, ...limits })
  await Promise.all([line.get({ url: other.url, ...limits }), line.get({ url: other.url, ...limits })])
  line.close()
  expect([one.looksByConnection(), other.looksByConnection()]).toEqual([[1], [2, 1]])
})

test('what came by one route is not asked over it by another', async () => {
  const site = await aSite(socket => socket.write(answer('{}')))
  const line = createPollConnection()
  for (const route of [{}, {}])
    for (let look = 0; look < 2; look += 1) await line.get({ url: site.url, ...limits, route })
  line.close()
  expect(site.looksByConnection()).toEqual([2, 2])
})

test('a wait believes the end when a second connection says so, too', async () => {
  const root = (state: string) =>
    JSON.stringify({
      fullVersion: '11.2.0',
      currentVersion: 11.2,
      resources: [],
      info: { build: '1' },
      status: { state, message: '', warnings: [], stages: [] },
    })
  let looks = 0
  const site = await aSite(socket => {
    looks += 1
    socket.write(answer(root(looks > 3 ? 'ready' : 'in_progress')))
  })
  const waitOptions = { timeoutMs: 60_000, pollMs: 1_000 }
  const waiting = {
    reader: siteReader(site.url),
    clock: virtualClock(),
    waitOptions,
    random: () => 0.5,
    stages: [],
  }
  const wait = waitUntilReady(waiting, limits.signal)
  for (let step = await wait.next(); ; step = await wait.next())
    if (step.done === true) {
      expect(step.value.kind).toBe('ready')
      break
    }
  expect(site.looksByConnection()).toEqual([4, 1])
})
