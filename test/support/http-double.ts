import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { atEnd } from './at-end.js'

/** An action of a double on a connection. */
export type Step =
  | string
  | Buffer
  /** Closes the connection: after pending bytes, immediately, or with a reset. */
  | { readonly close: 'end' | 'destroy' | 'reset' }
  /** Sends the text every 5 ms until the connection closes. */
  | { readonly drip: string }
  | { readonly until: Promise<unknown> }
  /** Connects to a loopback port, and passes on all later bytes in both directions. */
  | { readonly pipe: number }
  /**
   * Forwards the request to the server at an address, with that server's host name, and returns its response without the header
   * `without`. With `lost` it closes the connection instead of responding.
   */
  | { readonly forward: string; readonly without?: string; readonly lost?: true }

/**
 * One step, or several, each in a packet of its own. An empty list sends nothing and keeps the connection open. After a single
 * step of bytes the connection is closed, unless they are a complete response to a GET.
 */
export type Reply = Step | readonly Step[]

/** A request as received. An incomplete request has the part received so far. */
export interface ReceivedRequest {
  /** The number of its connection, from 0. */
  readonly connection: number
  readonly method: string
  /** The target of the request line. */
  readonly path: string
  /** The request line and the headers. */
  readonly head: string
  readonly body: string
}

/** A reply, or a function that returns it. */
export type Answer = Reply | ((request: ReceivedRequest) => Reply | undefined)

/** The reply to matching requests. The first rule with a reply applies. */
export interface Rule {
  /** The event that triggers the reply. Default: a complete request. */
  readonly on?: 'connection' | 'bytes' | 'head' | 'request'
  readonly method?: string
  readonly path?: RegExp
  readonly reply: Answer
}

/** A server on a loopback port. */
export interface HttpDouble {
  readonly port: number
  /** Host name and port. */
  readonly host: string
  /** The address of a site: `/portal/admin` on this server. */
  readonly url: string
  /** Returns another address with the port of this server. */
  at(url: string): string
  /** All received bytes, one text for each connection. */
  readonly received: readonly string[]
  /** The complete requests, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  gets(): readonly ReceivedRequest[]
  posts(): readonly ReceivedRequest[]
  /** Stops forwarding bytes on all open connections, without closing them. Returns the number of forwarded connections. */
  freeze(): number
  /** Resolves once a connection is closed. */
  closed(connection: number): Promise<void>
  close(): Promise<void>
}

const open = new Set<HttpDouble>()
const noted = ['bytes', 'head', 'request'] as const

/** Closes every open double, for proofs. Others are closed at the end of the test, or of the file if a hook starts them. */
export async function closeDoubles(): Promise<void> {
  await Promise.all([...open].map(double => double.close()))
}

/** Starts a server that replies by these rules, and records what it receives. Without a matching rule it stays silent. */
export async function httpDouble(rules: readonly Rule[], tls?: TlsOptions): Promise<HttpDouble> {
  const received: string[] = []
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const frozen = new Set<Socket>()
  const closings: Promise<void>[] = []
  const track = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }

  const serve = (socket: Socket) => {
    const connection = received.push('') - 1
    closings.push(new Promise(resolve => void socket.once('close', () => resolve())))
    let unread = ''
    let stage = 0
    let length = 0
    let hasReply = false
    let isPiped = false
    let hidden: RegExp | undefined
    let isLost = false
    let behind: Socket | undefined

    const connectBehind = (port: number, hostname = '127.0.0.1') => {
      const site = track(connect(port, hostname))
      const isFrozen = () => frozen.has(site)
      site.on('data', bytes => {
        if (isLost) socket.destroy()
        else if (!isFrozen())
          socket.write(hidden === undefined ? bytes : bytes.toString('latin1').replace(hidden, ''), 'latin1')
      })
      site.on('end', () => isFrozen() || socket.end()).on('close', () => isFrozen() || socket.destroy())
      socket.on('end', () => isFrozen() || site.end()).on('close', () => isFrozen() || site.destroy())
      return site
    }

    const take = async (step: Step, { head, body }: ReceivedRequest) => {
      if (typeof step === 'string' || Buffer.isBuffer(step)) socket.write(step)
      else if ('until' in step) await step.until
      else if ('drip' in step) {
        const timer = setInterval(() => socket.write(step.drip), 5)
        socket.once('close', () => clearInterval(timer))
      } else if ('pipe' in step) {
        isPiped = true
        behind = connectBehind(step.pipe)
      } else if ('forward' in step) {
        const { hostname, port, host } = new URL(step.forward)
        isLost = step.lost === true
        hidden = step.without === undefined ? undefined : new RegExp(`^${step.without}: .*\\r\\n`, 'im')
        behind ??= connectBehind(Number(port), hostname)
        behind.write(`${head.replace(/^host: .*$/im, `host: ${host}`)}\r\n\r\n${body}`, 'latin1')
      } else if (step.close === 'end') socket.end()
      else if (step.close === 'destroy') socket.destroy()
      else socket.resetAndDestroy()
    }

    const perform = async (reply: Reply, request: ReceivedRequest) => {
      if (isList(reply)) {
        for (const [at, step] of reply.entries()) {
          // Two turns of the event loop, in which the peer reads the previous step.
          for (let turn = 0; at > 0 && turn < 2; turn += 1) await setImmediate()
          await take(step, request)
        }
        return
      }
      await take(reply, request)
      const isBytes = typeof reply === 'string' || Buffer.isBuffer(reply)
      if (isBytes && !(request.method === 'GET' && isWhole(reply.toString()))) socket.end()
    }

    const react = (event: NonNullable<Rule['on']>, request: ReceivedRequest) => {
      for (const { on = 'request', method = request.method, path, reply } of rules) {
        if (on !== event || method !== request.method || path?.test(request.path) === false) continue
        const found = typeof reply === 'function' ? reply(request) : reply
        if (found === undefined) continue
        hasReply = true
        void perform(found, request)
        return
      }
    }

    /** Processes the request at the start of `unread`. Returns true if it is complete. */
    const read = () => {
      if (unread === '' || isPiped || (stage === 2 && unread.length < length)) return false
      const end = unread.indexOf('\r\n\r\n')
      const head = end === -1 ? unread : unread.slice(0, end)
      length = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
      const [method = '', path = ''] = head.split(' ')
      const body = end === -1 ? '' : unread.slice(end + 4, length)
      const request = { connection, method, path, head, body }
      const reached = end === -1 ? 1 : unread.length < length ? 2 : 3
      if (reached === 3) requests.push(request)
      for (const event of noted.slice(stage, reached)) if (!hasReply) react(event, request)
      stage = reached
      return reached === 3
    }

    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        received[connection] += chunk.toString('latin1')
        if (isPiped && !frozen.has(socket)) behind?.write(chunk)
        if (isPiped) return
        unread += chunk.toString('latin1')
        while (read()) {
          unread = unread.slice(length)
          stage = 0
          hasReply = false
        }
      })
    react('connection', { connection, method: '', path: '', head: '', body: '' })
    hasReply = false
  }

  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve)
  server.on('connection', track).on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const double: HttpDouble = {
    port,
    host,
    url: `${tls === undefined ? 'http' : 'https'}://${host}/portal/admin`,
    at(url) {
      const address = new URL(tls === undefined ? url : url.replace(/^http:/, 'https:'))
      address.port = `${port}`
      return address.href
    },
    received,
    requests,
    gets: () => requests.filter(({ method }) => method === 'GET'),
    posts: () => requests.filter(({ method }) => method === 'POST'),
    freeze() {
      for (const socket of sockets) frozen.add(socket)
      return frozen.size / 2
    },
    closed: connection => closings[connection] ?? Promise.resolve(),
    async close() {
      if (!open.delete(double)) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  open.add(double)
  atEnd(double.close)
  return double
}

/** Starts a site that answers each POST with `toPost`, and each GET with `toGet`. */
export function answeringSite(toPost: Answer, toGet: Answer = json({}, 404)): Promise<HttpDouble> {
  return httpDouble([
    { method: 'GET', reply: toGet },
    { method: 'POST', reply: toPost },
  ])
}

/**
 * Starts a proxy that answers CONNECT with 200 and a connection to a port, or with the given text. By default the port is for
 * every requested host. Clients other than Landform, and hosts without a port, get 403.
 */
export function connectProxy(
  answer: { readonly toPort: number | ((host: string) => number | undefined) } | { readonly text: string },
): Promise<HttpDouble> {
  const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
  const reply = ({ head, path }: ReceivedRequest): Reply => {
    if (!/^user-agent: landform\//im.test(head)) return http(403, '')
    if ('text' in answer) return answer.text
    const { toPort } = answer
    const port = typeof toPort === 'number' ? toPort : toPort(path)
    return port === undefined ? http(403, '') : [{ pipe: port }, established]
  }
  return httpDouble([{ reply }])
}

/** Returns an HTTP response with its content length. */
export function http(status: number, body: string, headers = ''): string {
  return `HTTP/1.1 ${status} X\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

export function json(body: unknown, status = 200): string {
  return http(status, JSON.stringify(body))
}

/** Removes the parameter that prevents cached responses from a request line or target. Throws if there is none. */
export function withoutCacheBuster(target: string): string {
  const parameter = /&_=[0-9a-f-]{36}(?= |$)/
  if (!parameter.test(target)) throw new Error(`a cache may answer ${target}`)
  return target.replace(parameter, '')
}

/** Returns a loopback port on which nothing listens. */
export async function freePort(): Promise<number> {
  const double = await httpDouble([])
  await double.close()
  return double.port
}

const isList = (reply: Reply): reply is readonly Step[] => Array.isArray(reply)

function isWhole(response: string): boolean {
  const end = response.indexOf('\r\n\r\n') + 4
  const [, length] = /^content-length: (\d+)\r$/im.exec(response.slice(0, end)) ?? []
  return response.length - end === Number(length)
}
