import { randomBytes } from 'node:crypto'
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { emulatorHeader } from '../contract/responses.js'
import { buildBasePaths, checkBasePath, findControlName } from './base-paths.js'
import { answerControl, type EmulatorView } from './control/control.js'
import type { Emulator, EmulatorOptions, ReceivingSite, ServedRequest } from './emulated-site.js'
import { type EmulatorWait, scaleClock } from './emulated-site.js'
import type { FaultRule } from './faults/fault.js'
import { receive, sendResponse } from './http/exchange.js'
import { loopback, rejectEarly } from './http/guard.js'
import { sendEnding } from './http/send-ending.js'
import { redactRequest } from './log/redact-request.js'
import { createRequestLog } from './log/request-log.js'
import { buildErrorBody } from './service/answers.js'
import { createSite } from './site.js'

export type { ServedRequest } from './emulated-site.js'
export type { RecordedParameter, RecordedRequest } from './log/request-log.js'
export type { RequestPart } from './service/request.js'

/** The longest delay of a timer; a longer one would fire at once. */
const longestWaitMs = 2 ** 31 - 1

/** Starts the service on a loopback port. Rejects if the port is not available or the base path is invalid. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const problem = checkBasePath(options.basePath ?? '')
  if (problem !== undefined) throw new TypeError(`not a base path: ${problem}`)
  const { speed = 1, inspect } = options
  const clock = scaleClock(options.now ?? Date.now, speed)
  const basePaths = buildBasePaths(options.basePath, options.sites ?? 1)
  const firstPath = basePaths.all[0] ?? ''
  const sites = new Map<string, ReceivingSite>()
  const ending = new AbortController()
  const wait: EmulatorWait = (milliseconds, signal) =>
    (options.wait ?? waitByTimer)(
      Math.min(milliseconds, longestWaitMs),
      AbortSignal.any([signal, ending.signal]),
    )
  const log = createRequestLog()
  // Redacts a request before the log stores it.
  const onServed = (request: ServedRequest) => {
    inspect?.(request)
    log.add(redactRequest(request))
  }
  let watched: EmulatorView | undefined
  let port = 0
  let closing: Promise<void> | undefined

  const instance = randomBytes(8).toString('hex')
  let idle: NodeJS.Timeout | undefined
  const server = createServer(limits, (incoming, outgoing) => {
    outgoing.setHeader(emulatorHeader, instance)
    const name = findControlName(incoming, firstPath)
    // A HEAD request to the control path lists emulators, and does not count as use.
    if (name === undefined || incoming.method !== 'HEAD') idle?.refresh()
    const refused = rejectEarly(incoming, { port, isControl: name !== undefined })
    if (refused !== undefined) {
      const { httpStatus, message } = refused
      sendResponse(outgoing, { httpStatus, body: buildErrorBody(httpStatus, message), pretty: false })
      return
    }
    if (name !== undefined && watched !== undefined) {
      answerControl(watched, name, { incoming, outgoing })
      return
    }
    const basePath = basePaths.find(incoming.url ?? '')
    // A client may disconnect before its request is complete. Formatting an answer that is too long for a string throws
    // (a hostile `location` can cause one). Neither must end the process.
    receive(incoming, basePath)
      .then(async received => {
        const arrival = siteAt(basePath).arrive(received)
        // Applies even if the client has disconnected, because its request arrived whole.
        if (arrival.heldMs > 0) await wait(arrival.heldMs, ending.signal)
        if (!ending.signal.aborted) await sendEnding(outgoing, arrival.deliver(), wait)
      })
      .catch(() => outgoing.destroy())
  })
  server.maxConnections = maxConnections
  await listen(server, options.port ?? 0)
  port = (server.address() as AddressInfo).port
  const { idleMs } = options
  if (idleMs !== undefined) idle = setInterval(endIfIdle, Math.min(idleMs, longestWaitMs))
  const origin = `http://${loopback}:${port}`
  const { faults: common = [], siteFaults = new Map<number, readonly FaultRule[]>() } = options
  for (const [index, basePath] of basePaths.all.entries()) {
    const faults = [...(siteFaults.get(index + 1) ?? []), ...common]
    sites.set(basePath, createSite({ ...options, faults }, { origin, basePath, clock, log, onServed }))
  }
  const first = siteAt(undefined)
  const { version: serviceVersion, fidelity } = first.world()
  const faults = [...new Set([...common, ...[...siteFaults.values()].flat()])].map(({ word = '' }) => word)
  const facts = { instance, serviceVersion, fidelity, scenario: options.scenario ?? null, faults, speed }
  watched = { facts, clock, sites, log, stop: options.onStop }

  return {
    url: first.url,
    get requests() {
      return first.requests
    },
    world: first.world,
    unmet: first.unmet,
    sites: [...sites.values()],
    instance,
    pageUrl: `${origin}${firstPath === '' ? '/_emulator/' : '/'}`,
    close: () => {
      ending.abort()
      clearInterval(idle)
      closing ??= closeServer(server)
      return closing
    },
  }

  function endIfIdle(): void {
    server.getConnections((_, open) => {
      if (open === 0) options.onStop?.()
    })
  }

  /** Finds the site of a base path; the first site also answers requests outside every base path. */
  function siteAt(basePath: string | undefined): ReceivingSite {
    const site = sites.get(basePath ?? firstPath)
    if (site === undefined) throw new Error('no site')
    return site
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Kept after the start, so that an error of one connection, such as too many open files, does not end the process.
    server.on('error', reject)
    server.listen(port, loopback, resolve)
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function waitByTimer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}

/** Limits of one connection: 16 KiB for the request line and headers, within ten seconds. Bodies have no time limit. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
} as const satisfies ServerOptions

/** A fleet polls a thousand sites at once, each over its own connection. */
const maxConnections = 4096
