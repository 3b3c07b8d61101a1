import { connect } from 'node:net'
import { closeDoubles, freePort, type HttpDouble, http, httpDouble, json, type Rule } from './http-double.js'

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
