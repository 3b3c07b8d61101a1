import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Every, everyInterval } from '../../../../src/live-page/event-stream.js'
import { limitIdleConnections } from '../../../../src/live-page/limit-idle-connections.js'
import { buildError, sendResponse } from '../../../../src/live-page/response.js'
import { formatListenAddress, type ListenAddress } from '../model/listen-address.js'
import type { FleetSource } from './fleet-source.js'
import { createFleetWatch } from './fleet-watch.js'
import { rejectForeignRequest } from './request-guard.js'
import { route } from './route.js'
import { createSessions } from './sessions.js'

export interface FleetPageOptions {
  readonly source: FleetSource
  readonly listen: ListenAddress
  /** SHA-256 of the token; without it everyone who reaches the page can read it. */
  readonly tokenDigest?: Uint8Array
  /** Additional host names. */
  readonly names?: readonly string[]
  /** Timer of the event stream. Default: a real one, while pages are open. */
  readonly every?: Every
  /** Default: the real clock. */
  now?(): number
  /** Delays the response to a wrong token. Default: by a timer. */
  wait?(milliseconds: number): Promise<void>
}

/** The server of the page, until it is closed. */
export interface FleetPage {
  readonly url: string
  /** Resolves when every socket is closed and no query is running. */
  close(): Promise<void>
}

/** Starts the server of the page. Rejects if it cannot listen on the address. */
export async function startFleetPage(options: FleetPageOptions): Promise<FleetPage> {
  const { source, names = [], every = everyInterval, now = () => performance.now(), tokenDigest } = options
  const watch = createFleetWatch({ source, every, now })
  const guard = tokenDigest && createSessions({ digest: tokenDigest, now, wait: options.wait ?? timer })
  // `localhost` could resolve to another address.
  const host = options.listen.host === 'localhost' ? '127.0.0.1' : options.listen.host
  const server = createServer(limits, (incoming, outgoing) => {
    const listen = { host, port: readPort(server) }
    const refused = rejectForeignRequest(incoming, { listen, names })
    if (refused === undefined) answer(incoming, outgoing, listen)
    else sendResponse(outgoing, refused)
  })
  server.maxConnections = maxConnections
  limitIdleConnections(server)
  const answering = new Set<Promise<void>>()
  await startListening(server, { host, port: options.listen.port })
  return { url: `http://${formatListenAddress({ host, port: readPort(server) })}/`, close }

  function answer(incoming: IncomingMessage, outgoing: ServerResponse, listen: ListenAddress): void {
    const answered = route({ source, watch, guard, port: listen.port }, { incoming, outgoing }).catch(() => {
      // The details of a bug are not sent.
      if (outgoing.headersSent) outgoing.destroy()
      else sendResponse(outgoing, buildError(500, 'Internal error: this is a bug in Landform.'))
    })
    answering.add(answered)
    void answered.finally(() => answering.delete(answered))
  }

  async function close(): Promise<void> {
    await closeServer(server)
    await Promise.all([...answering, watch.idle()])
  }
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1000,
} as const
const maxConnections = 256

function timer(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

function startListening(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays after the start, because an error on one connection must not end the others.
    server.on('error', reject)
    server.listen(port, host, resolve)
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function readPort(server: Server): number {
  return (server.address() as AddressInfo).port
}
