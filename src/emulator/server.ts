import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OperationName } from '../contract/operations.js'
import { type Received, receive, send } from './http/exchange.js'
import { isLocal, loopback } from './http/guard.js'
import { errorBody, isRefusal } from './service/answers.js'
import type { Part, ServiceResponse } from './service/request.js'
import { route } from './service/route.js'
import { newWorld, type World, type WorldOptions } from './service/world.js'

export type { Part as RecordedPart } from './service/request.js'

/** What can be chosen when an emulator is started; every choice has a default that suits a rehearsal. */
export interface EmulatorOptions extends WorldOptions {
  /** The clock, in milliseconds since 1970. Default: the real one. */
  readonly now?: () => number
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: a random one, so that nothing finds the emulator by guessing. */
  readonly basePath?: string
}

/** One request that came in whole, whatever became of it. */
export interface RecordedRequest {
  readonly at: number
  readonly method: string
  /** Below the base path, without the query; the whole path when it is not below it. */
  readonly path: string
  readonly operation: OperationName | 'unknown'
  readonly contentType: string
  readonly parts: readonly Part[]
  /** False when it was answered with an error body. */
  readonly accepted: boolean
}

/** A running double of the service. It prints nothing and lives until it is closed. */
export interface Emulator {
  /** The `{base_url}` of the service document, without a slash at the end. */
  readonly url: string
  /** The last 1,000, newest last. Requests that another site's page caused are not among them. */
  readonly requests: readonly RecordedRequest[]
  readonly world: () => World
  /** Resolves when every socket is closed; asking twice is allowed. */
  close(): Promise<void>
}

const requestsKept = 1000

/** Starts the service on a loopback port. Rejects only when the port cannot be had. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const clock = options.now ?? Date.now
  const basePath = normalized(options.basePath ?? `/${randomBytes(16).toString('hex')}/admin`)
  let world = newWorld(options)
  let requests: readonly RecordedRequest[] = []
  let closing: Promise<void> | undefined

  const server = createServer((incoming, outgoing) => {
    if (!isLocal(incoming.headers, incoming.socket.localPort)) {
      send(outgoing, { httpStatus: 403, body: errorBody(403, 'Only local programs may ask.'), pretty: false })
      return
    }
    // A sender that goes away before its request is whole has asked for nothing, and an answer too long for a
    // string (a hostile `location` can make one) must not end the process that the emulator lives in.
    receive(incoming, basePath)
      .then(received => send(outgoing, serve(received)))
      .catch(() => outgoing.destroy())
  })
  await listen(server, options.port ?? 0)

  return {
    url: `http://${loopback}:${portOf(server)}${basePath}`,
    get requests() {
      return requests
    },
    world: () => world,
    close: () => {
      closing ??= shut(server)
      return closing
    },
  }

  function serve({ request, path, contentType }: Received): ServiceResponse {
    const at = clock()
    const [next, response] = route(world, request, at)
    world = next
    const { method, target } = request
    const { operation } = target
    const parts = [...request.query, ...request.body.parts]
    const recorded = { at, method, path, operation, contentType, parts, accepted: !isRefusal(response) }
    requests = [...requests, recorded].slice(-requestsKept)
    return response
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays after the start: an error about one connection, such as too many files, is not the end of the others.
    server.on('error', reject)
    server.listen(port, loopback, resolve)
  })
}

function shut(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function normalized(path: string): string {
  const segments = path.split('/').filter(segment => segment !== '')
  return segments.map(segment => `/${segment}`).join('')
}
