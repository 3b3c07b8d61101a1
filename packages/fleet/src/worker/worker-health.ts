import { type HttpServer, startHttpServer } from '../http/http-server.js'
import type { FleetFigures } from '../model/fleet-figures.js'
import type { ListenAddress } from '../model/listen-address.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'
import { createWorkerMetrics, metricsType } from './worker-metrics.js'

/** The sources of the health of a worker. */
export interface HealthSources {
  /** Counts the fleet; rejects if the database does not respond. */
  fleet(): Promise<FleetFigures>
  /** Milliseconds on a monotonic clock. */
  monotonicMs(): number
}

/** Receives the events of the worker, and answers health requests. */
export interface WorkerHealth {
  readonly report: ReportWorkerEvent
  /** Returns the reason that the worker cannot work; `undefined` if it can. */
  unready(): Promise<string | undefined>
  /** Returns metrics in the OpenMetrics format. */
  metrics(): Promise<string>
}

/**
 * Serves `/live`, `/ready` and `/metrics`, without names of sites or secrets. A process that responds is alive, because one
 * that lost its lease has ended. Rejects with the system error if it cannot listen.
 */
export function serveHealth(address: ListenAddress, health: WorkerHealth): Promise<HttpServer> {
  const text = (body: string, status = 200) => ({
    status,
    type: 'text/plain; charset=utf-8',
    body: `${body}\n`,
  })
  const routes = {
    '/live': () => text('alive'),
    '/metrics': async () => ({ type: metricsType, body: await health.metrics() }),
    async '/ready'() {
      const why = await health.unready()
      return why === undefined ? text('ready') : text(why, 503)
    },
  }
  return startHttpServer({ routes }, address)
}

/** Maximum age of the figures: each request without it would be a query. */
const maxAgeMs = 5000

/** Maximum wait for the database: collectors time out after ten seconds by default. */
const maxWaitMs = 5000

/** Counts the events of a worker; a database that hangs counts as unreachable. */
export function createWorkerHealth({ fleet, monotonicMs }: HealthSources): WorkerHealth {
  const metrics = createWorkerMetrics()
  let isAtWork = false
  let last: { readonly at: number; readonly answer: Promise<FleetFigures | undefined> } | undefined
  const ask = () => {
    if (last === undefined || monotonicMs() - last.at > maxAgeMs)
      last = { at: monotonicMs(), answer: resolveInTime(fleet()) }
    return last.answer
  }
  return {
    report(event) {
      metrics.count(event)
      if (event.type === 'worker-started') isAtWork = true
      if (event.type === 'worker-stopping' || event.type === 'lease-lost') isAtWork = false
    },
    async unready() {
      if (!isAtWork) return 'the worker is not accepting sites'
      return (await ask()) === undefined ? 'the database does not respond' : undefined
    },
    metrics: async () => metrics.format(await ask()),
  }
}

function resolveInTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), maxWaitMs)
    answer.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
