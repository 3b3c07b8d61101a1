import { version } from '../../../../src/version.js'
import { counted, type Figures, noFigures } from '../model/figures.js'
import type { FleetFigures } from '../model/fleet-figures.js'
import type { Tell } from '../model/worker-event.js'
import { fleetMetrics } from '../report/fleet-metrics.js'
import { formatOpenMetrics } from '../report/open-metrics.js'
import { processMetrics, workerMetrics } from '../report/worker-metrics.js'
import type { Health } from './serve-health.js'

/** What the health of a worker is made of. */
export interface HealthSources {
  /** Counts the fleet; rejects where the database does not answer. */
  fleet(): Promise<FleetFigures>
  /** Milliseconds that only grow. */
  monotonicMs(): number
}

/** Hears what the worker tells, and answers those who watch it. */
export interface WorkerHealth extends Health {
  readonly tell: Tell
}

/** Several may watch, and each look is a question to the database. */
const freshMs = 5000

/** A collector gives up after ten seconds, unless it is told otherwise. */
const mostMs = 5000

/** Counts what a worker tells; a database that hangs is told as one that does not answer. */
export function workerHealth({ fleet, monotonicMs }: HealthSources): WorkerHealth {
  let figures: Figures = noFigures
  let isAtWork = false
  let last: { readonly at: number; readonly answer: Promise<FleetFigures | undefined> } | undefined
  const ask = () => {
    if (last === undefined || monotonicMs() - last.at > freshMs)
      last = { at: monotonicMs(), answer: inTime(fleet()) }
    return last.answer
  }
  return {
    tell(event) {
      figures = counted(figures, event)
      if (event.type === 'worker-started') isAtWork = true
      if (event.type === 'worker-stopping' || event.type === 'lease-lost') isAtWork = false
    },
    async unready() {
      if (!isAtWork) return 'the worker takes no sites'
      return (await ask()) === undefined ? 'the database does not answer' : undefined
    },
    async metrics() {
      const families = [...workerMetrics(figures), ...fleetMetrics(await ask()), ...processMetrics(own())]
      return formatOpenMetrics(families)
    },
  }
}

function own() {
  const { user, system } = process.cpuUsage()
  return {
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
    version,
  }
}

function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), mostMs)
    answer.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
