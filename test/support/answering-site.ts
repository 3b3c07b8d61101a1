import type { Socket } from 'node:net'
import { startRawServer } from './raw-server.js'

/** What a site does once a whole request is there: answers with these bytes, or behaves in its own way. */
export type Reaction = string | ((socket: Socket, request?: RawRequest) => void)

/** One request as it came in, byte for byte. */
export interface RawRequest {
  readonly method: string
  /** The target of the request line. */
  readonly path: string
  readonly head: string
  readonly body: string
}

/** A request line or target without the parameter that keeps caches from answering; throws where it has none. */
export function withoutCacheBuster(target: string): string {
  const parameter = /&_=[0-9a-f-]{36}(?= |$)/
  if (!parameter.test(target)) throw new Error(`a cache may answer ${target}`)
  return target.replace(parameter, '')
}

/** An HTTP answer. */
export function http(status: number, body: string, headers = ''): string {
  return `HTTP/1.1 ${status} X\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** An HTTP answer that carries JSON. */
export function json(body: unknown, status = 200): string {
  return http(status, JSON.stringify(body))
}

/**
 * A site of raw bytes, for answers that the emulator does not give, and for what really arrives. A look at webhooks gets
 * an answer of its own.
 */
export async function answeringSite(toPost: Reaction, toGet: Reaction = json({}, 404)) {
  const done = new WeakMap<Socket, number>()
  const server = await startRawServer((socket, received) => {
    const all = parseRequests(received)
    const request = all[done.get(socket) ?? 0]
    if (request === undefined) return
    done.set(socket, all.length)
    const isGet = request.method === 'GET'
    const reaction = isGet ? toGet : toPost
    if (typeof reaction === 'function') reaction(socket, request)
    else if (isGet) socket.write(reaction)
    else socket.end(reaction)
  })
  const requests = (method: string) =>
    server.received.flatMap(parseRequests).filter(one => one.method === method)
  return {
    url: `http://127.0.0.1:${server.port}/portal/admin`,
    host: `127.0.0.1:${server.port}`,
    posts: () => requests('POST'),
    gets: () => requests('GET'),
    received: () => server.received,
  }
}

/** The requests of one connection, each once all of it is there. */
function parseRequests(received: string): readonly RawRequest[] {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const sent = rest.join('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  if (rest.length === 0 || sent.length < length) return []
  const [method = '', path = ''] = head.split(' ')
  const body = sent.slice(0, length)
  return [{ method, path, head, body }, ...parseRequests(sent.slice(length))]
}
