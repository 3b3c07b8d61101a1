import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/** A server that speaks bytes, not HTTP, so that it can misbehave in every way. */
export interface RawServer {
  readonly port: number
  /** Everything that was received, one text a connection. */
  readonly received: readonly string[]
}

/** Called whenever more has come; `received` is all of this connection so far. */
export type Behaviour = (socket: Socket, received: string) => void

const running: { readonly server: Server; readonly sockets: Set<Socket> }[] = []

/** Called once for each connection, before anything has come on it. */
export type Welcome = (socket: Socket) => void

/** Starts a server on a loopback port. */
export function startRawServer(
  behaviour: Behaviour,
  { opened = () => undefined }: { readonly opened?: Welcome } = {},
): Promise<RawServer> {
  return start(handle => createServer(handle), behaviour, opened)
}

const emptyRoot = JSON.stringify({ resources: ['orgs'], status: { state: 'not_configured' } })
const emptyRootAnswer = `HTTP/1.1 200 OK\r\ncontent-length: ${emptyRoot.length}\r\n\r\n${emptyRoot}`

/** Answers the poll at the begin of a connection as an empty site does; what is left of the received text then. */
export function answerPoll(socket: Socket, received: string): string {
  const [poll] = /^GET .*?\r\n\r\n/s.exec(received) ?? []
  if (poll === undefined) return received
  socket.write(emptyRootAnswer)
  return received.slice(poll.length)
}

/** Starts a server like an empty site: `received` and the behaviour are without the poll of each connection. */
export function startEmptySite(behaviour: Behaviour): Promise<RawServer> {
  return start(handle => createServer(handle), behaviour, undefined, answerPoll)
}

/** The same over TLS: `received` is what came through the secured connection. */
export function startRawTlsServer(options: TlsOptions, behaviour: Behaviour): Promise<RawServer> {
  return start(handle => createTlsServer(options, handle).on('tlsClientError', () => undefined), behaviour)
}

/** For `afterEach`. */
export async function stopRawServers(): Promise<void> {
  for (const { server, sockets } of running.splice(0)) {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
}

/** A loopback port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function start(
  make: (handle: (socket: Socket) => void) => Server,
  behaviour: Behaviour,
  opened: Welcome = () => undefined,
  strip: typeof answerPoll = (_, text) => text,
) {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = make(socket => {
    const index = received.push('') - 1
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      const text = strip(socket, `${received[index]}${chunk.toString('latin1')}`)
      received[index] = text
      if (text !== '') behaviour(socket, text)
    })
    opened(socket)
  })
  server.on('connection', (socket: Socket) => sockets.add(socket))
  running.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received }
}

/** A client that ends with one of its requests, as a process that is killed does. */
export interface LastRequest {
  /** How many requests are left to it, with that one. */
  left: number
  readonly moment: 'before' | 'after'
  /** Ends the client. */
  kill(): void
}

/** Ends a client if a request that is about to be carried out, or has been, is its last. */
export function endsClient(last: LastRequest | undefined, moment: LastRequest['moment']): boolean {
  if (last === undefined || last.moment !== moment) return false
  last.left -= 1
  if (last.left === 0) last.kill()
  return last.left <= 0
}
