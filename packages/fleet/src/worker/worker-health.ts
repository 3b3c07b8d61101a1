import { version } from '../../../../src/version.js'
import { countEvent, type Figures, noFigures } from '../model/figures.js'
import type { FleetFigures } from '../model/fleet-figures.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'
import { buildFleetMetrics } from '../report/fleet-metrics.js'
import { formatOpenMetrics } from '../report/open-metrics.js'
import { buildProcessMetrics, buildWorkerMetrics } from '../report/worker-metrics.js'
import type { HealthEndpoints } from './serve-health.js'

/** The sources of the health of a worker. */
export interface HealthSources {
  /** Counts the fleet; rejects if the database does not respond. */
  fleet(): Promise<FleetFigures>
  /** Milliseconds on a monotonic clock. */
  monotonicMs(): number
}

/** Receives the events of the worker, and answers health requests. */
export interface WorkerHealth extends HealthEndpoints {
  readonly report: ReportWorkerEvent
}

/** Maximum age of the figures: each request without it would be a query. */
const maxAgeMs = 5000

/** Maximum wait for the database: collectors time out after ten seconds by default. */
const maxWaitMs = 5000

/** Counts the events of a worker; a database that hangs counts as unreachable. */
export function createWorkerHealth({ fleet, monotonicMs }: HealthSources): WorkerHealth {
  let figures: Figures = noFigures
  let isAtWork = false
  let last: { readonly at: number; readonly answer: Promise<FleetFigures | undefined> } | undefined
  const ask = () => {
    if (last === undefined || monotonicMs() - last.at > maxAgeMs)
      last = { at: monotonicMs(), answer: resolveInTime(fleet()) }
    return last.answer
  }
  return {
    report(event) {
      figures = countEvent(figures, event)
      if (event.type === 'worker-started') isAtWork = true
      if (event.type === 'worker-stopping' || event.type === 'lease-lost') isAtWork = false
    },
    async unready() {
      if (!isAtWork) return 'the worker is not accepting sites'
      return (await ask()) === undefined ? 'the database does not respond' : undefined
    },
    async metrics() {
      const families = [
        ...buildWorkerMetrics(figures),
        ...buildFleetMetrics(await ask()),
        ...buildProcessMetrics(readProcessFigures()),
      ]
      return formatOpenMetrics(families)
    },
  }
}

function readProcessFigures() {
  const { user, system } = process.cpuUsage()
  return {
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
    version,
  }
}

function resolveInTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), maxWaitMs)
    answer.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
