import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { anAuthority } from './certificate.js'
import {
  closeDoubles,
  connectProxy,
  freePort,
  type HttpDouble,
  http,
  httpDouble,
  json,
  type Reply,
  type Rule,
} from './http-double.js'

const get = 'GET /a HTTP/1.1\r\nhost: x\r\n\r\n'
const post = 'POST /b HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi'

/** Sends the pieces on one connection. Resolves with everything received once the connection is closed. */
async function exchange({ port }: Pick<HttpDouble, 'port'>, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    text += code
  })
  socket.on('data', (more: string) => {
    text += more
  })
  const closed = new Promise(resolve => socket.once('close', resolve))
  for (const piece of pieces) socket.write(piece)
  await closed
  return text
}

const end = { close: 'end' } as const

test.each<[string, Rule, string, string]>([
  ['bytes, and closes', { reply: 'no HTTP' }, get, 'no HTTP'],
  ['a response to a POST, and closes', { reply: http(201, 'x') }, post, http(201, 'x')],
  ['several steps', { reply: ['a', 'b', end] }, get, 'ab'],
  ['nothing but the end', { reply: end }, get, ''],
  ['a reset', { reply: { close: 'reset' } }, get, 'ECONNRESET'],
  ['the first bytes', { on: 'bytes', reply: 'early' }, 'P', 'early'],
  ['a head whose body is missing', { on: 'head', reply: 'early' }, post.slice(0, -2), 'early'],
  ['a connection', { on: 'connection', reply: ['hello', end] }, '', 'hello'],
  ['a method and a path', { method: 'POST', path: /^\/b/, reply: 'this' }, post, 'this'],
])('a rule replies with %s', async (_, rule, sent, expected) => {
  const double = await httpDouble([rule, { reply: 'another' }])
  expect(await exchange(double, sent)).toBe(expected)
})

test('after a complete response to a GET the connection stays open, and each request is recorded once, however it is split', async () => {
  const double = await httpDouble([{ method: 'GET', reply: json({}) }, { reply: http(204, '') }])
  const text = get + get + post
  expect(await exchange(double, text.slice(0, 9), text.slice(9))).toBe(json({}) + json({}) + http(204, ''))
  expect(double.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/a', ''],
    ['GET', '/a', ''],
    ['POST', '/b', 'hi'],
  ])
  expect([double.gets().length, double.posts().length, double.received]).toEqual([2, 1, [text]])
})

test('a reply function is called for each request, and without a reply the next rule applies', async () => {
  const turns: readonly (Reply | undefined)[] = ['first', undefined]
  let turn = 0
  const double = await httpDouble([{ reply: () => turns[turn++] }, { reply: 'second' }])
  expect([await exchange(double, get), await exchange(double, get)]).toEqual(['first', 'second'])
  expect(double.requests.map(({ connection }) => connection)).toEqual([0, 1])
})

test('a step waits for an event, and one that drips continues until the connection closes', async () => {
  const isDue = new AbortController()
  const steps = [{ until: once(isDue.signal, 'abort') }, { drip: 'x' }] as const
  const double = await httpDouble([{ reply: steps }])
  const socket = connect(double.port, '127.0.0.1')
  socket.write(get)
  while (double.requests.length === 0) await new Promise(resolve => setImmediate(resolve))
  expect(socket.bytesRead).toBe(0)
  isDue.abort()
  while (socket.bytesRead < 2) await once(socket, 'data')
  socket.destroy()
  await double.closed(0)
})

test('a request is forwarded with the host name of the site, and its response can lose a header or be dropped', async () => {
  const site = await httpDouble([{ reply: http(200, 'x', 'server: s\r\n') }])
  const front = await httpDouble([
    { path: /lost/, reply: { forward: site.url, lost: true } },
    { reply: { forward: site.url, without: 'server' } },
  ])
  expect(await exchange(front, post)).toBe(http(200, 'x'))
  expect(site.requests[0]).toMatchObject({ head: expect.stringContaining(`host: ${site.host}`), body: 'hi' })
  expect(await exchange(front, post.replace('/b', '/lost'))).toBe('')
  expect(site.requests).toHaveLength(2)
  expect(front.at('https://gis.example.org/admin')).toBe(`https://gis.example.org:${front.port}/admin`)
})

test('CONNECT connects to a port that speaks TLS', async () => {
  const certificate = anAuthority('localhost', { names: ['localhost'] })
  const site = await httpDouble([{ reply: 'inside' }], certificate)
  const proxy = await connectProxy({ toPort: site.port })
  const socket = connect(proxy.port, '127.0.0.1')
  socket.write('CONNECT x:443 HTTP/1.1\r\nuser-agent: landform/1\r\n\r\n')
  expect(`${(await once(socket, 'data'))[0]}`).toContain(' 200 ')
  const secured = connectSecurely({ socket, ca: certificate.cert, servername: 'localhost' })
  secured.write(get)
  expect(`${(await once(secured, 'data'))[0]}`).toBe('inside')
  secured.destroy()
  expect(site.received).toEqual([get])
  expect(proxy.received[0]).not.toContain('GET')
  expect(await exchange(proxy, 'CONNECT x:443 HTTP/1.1\r\n\r\n')).toContain(' 403 ')
})

test('frozen connections forward nothing, and new ones do', async () => {
  const site = await httpDouble([{ reply: 'x' }])
  const proxy = await httpDouble([{ on: 'connection', reply: { pipe: site.port } }])
  const socket = connect(proxy.port, '127.0.0.1')
  while (site.received.length === 0) await new Promise(resolve => setImmediate(resolve))
  expect(proxy.freeze()).toBe(1)
  socket.write(get)
  expect(await exchange(proxy, get)).toBe('x')
  expect(site.received).toEqual(['', get])
  socket.destroy()
})

describe('the end of a test', () => {
  let left: HttpDouble | undefined
  test('is reached', async () => {
    left = await httpDouble([])
  })
  test('closes its doubles', async () => {
    expect(await exchange(left ?? { port: 0 })).toBe('ECONNREFUSED')
  })
})

test('a double can be closed earlier, and nothing listens on a free port', async () => {
  const double = await httpDouble([])
  await closeDoubles()
  expect(await exchange(double)).toBe('ECONNREFUSED')
  expect(await exchange({ port: await freePort() })).toBe('ECONNREFUSED')
})
