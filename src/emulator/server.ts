import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { basePathProblem } from './base-path-problem.js'
import { basePathsOf } from './base-paths.js'
import { scaledClock, type Wait } from './clock.js'
import { control, type Watched } from './control/control.js'
import { observer } from './control/observer.js'
import { controlName } from './control/paths.js'
import type { Emulator, EmulatorOptions, Site } from './emulated-site.js'
import type { Rule } from './faults/fault.js'
import { receive, send } from './http/exchange.js'
import { loopback, turnedAway } from './http/guard.js'
import { limits, mostConnections } from './http/limits.js'
import { sendEnding } from './http/send-ending.js'
import { errorBody } from './service/answers.js'
import { createSite } from './site.js'

export type { Served } from './emulated-site.js'
export type { RecordedParameter, RecordedRequest } from './log/recorded-request.js'
export type { Part } from './service/request.js'

/** The longest timer: one that is set for longer fires at once. */
const longestWaitMs = 2 ** 31 - 1

/** Starts the service on a loopback port. Rejects if the port is not available or the base path is invalid. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const problem = basePathProblem(options.basePath ?? '')
  if (problem !== undefined) throw new TypeError(`not a base path: ${problem}`)
  const { speed = 1, every, inspect } = options
  const clock = scaledClock(options.now ?? Date.now, speed)
  const basePaths = basePathsOf(options.basePath, options.sites ?? 1)
  const firstPath = basePaths.all[0] ?? ''
  const sites = new Map<string, Site>()
  const ending = new AbortController()
  const wait: Wait = (milliseconds, signal) =>
    (options.wait ?? timer)(Math.min(milliseconds, longestWaitMs), AbortSignal.any([signal, ending.signal]))
  const { log, events, served } = observer({ clock, every, inspect, siteAt })
  let watched: Watched | undefined
  let port = 0
  let closing: Promise<void> | undefined

  const server = createServer(limits, (incoming, outgoing) => {
    const name = controlName(incoming, firstPath)
    const refused = turnedAway(incoming, { port, isControl: name !== undefined })
    if (refused !== undefined) {
      const { httpStatus, message } = refused
      send(outgoing, { httpStatus, body: errorBody(httpStatus, message), pretty: false })
      return
    }
    if (name !== undefined && watched !== undefined) {
      control(watched, name, { incoming, outgoing })
      return
    }
    const basePath = basePaths.find(incoming.url ?? '')
    // A sender may disconnect before its request is complete, and an answer too long for a string (a hostile
    // `location` can make one) must not end the process.
    receive(incoming, basePath)
      .then(async received => {
        const arrival = siteAt(basePath).arrive(received)
        // Also for a client that has disconnected: its request arrived whole.
        if (arrival.heldMs > 0) await wait(arrival.heldMs, ending.signal)
        if (!ending.signal.aborted) await sendEnding(outgoing, arrival.deliver(), wait)
      })
      .catch(() => outgoing.destroy())
  })
  server.maxConnections = mostConnections
  await listen(server, options.port ?? 0)
  port = portOf(server)
  const origin = `http://${loopback}:${port}`
  const { faults: common = [], siteFaults = new Map<number, readonly Rule[]>() } = options
  for (const [index, basePath] of basePaths.all.entries()) {
    const faults = [...(siteFaults.get(index + 1) ?? []), ...common]
    sites.set(basePath, createSite({ ...options, faults }, { origin, basePath, clock, log, served }))
  }
  const first = siteAt(undefined)
  const { version: serviceVersion, fidelity } = first.world()
  const faults = [...new Set([...common, ...[...siteFaults.values()].flat()])].map(({ word = '' }) => word)
  const facts = { serviceVersion, fidelity, scenario: options.scenario ?? null, faults, speed }
  watched = { facts, clock, sites, log, events }

  return {
    url: first.url,
    get requests() {
      return first.requests
    },
    world: first.world,
    unmet: first.unmet,
    sites: [...sites.values()],
    pageUrl: `${origin}${firstPath === '' ? '/_emulator/' : '/'}`,
    close: () => {
      ending.abort()
      closing ??= shut(server)
      return closing
    },
  }

  /** Finds the site of a base path; the first site also answers requests below none. */
  function siteAt(basePath: string | undefined): Site {
    const site = sites.get(basePath ?? firstPath)
    if (site === undefined) throw new Error('no site')
    return site
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

function timer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
