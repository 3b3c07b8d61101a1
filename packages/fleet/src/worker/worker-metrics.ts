import { version } from 'landform/cli'
import { hasEnded, runStates } from 'landform/sites'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
  type RegistryContentType,
} from 'prom-client'
import type { FleetFigures } from '../model/fleet-figures.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'

/** The content type of the metrics. */
export const metricsType = Registry.OPENMETRICS_CONTENT_TYPE

/** Upper bounds in seconds, from a site that is already ready to a configuration that takes half a day. */
const buckets = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200]

/** The counters of one worker since its start. */
export interface WorkerMetrics {
  readonly count: ReportWorkerEvent
  /** Formats the metrics as OpenMetrics, with the figures of the fleet if the database responded. */
  format(figures: FleetFigures | undefined): Promise<string>
}

/** Creates the metrics of a worker and its process. No label holds a site or a message. */
export function createWorkerMetrics(): WorkerMetrics {
  const registry = createRegistry()
  const registers = [registry]
  const counter = (name: string, help: string) =>
    new Counter({ name: `landform_worker_${name}`, help, registers })
  const started = counter('runs_started', 'Runs of sites that this worker started or took over.')
  const ended = new Counter({
    name: 'landform_worker_runs_ended',
    help: 'Runs of sites that ended at this worker, by state.',
    labelNames: ['state'],
    registers,
  })
  // A counter that is missing until its first event has no increase.
  for (const state of runStates.filter(hasEnded)) ended.inc({ state }, 0)
  const configures = counter('configures', 'Accepted requests to create an organization.')
  const retries = counter('retries', 'Retries after temporary failures.')
  const adopted = counter('orphans_adopted', 'Runs taken over from dead workers.')
  const databaseErrors = counter('database_errors', 'Failed queries of the database.')
  const runs = new Histogram({
    name: 'landform_worker_run_duration_seconds',
    help: 'Duration of runs, from the first start to the end.',
    buckets,
    registers,
  })
  const phases = new Histogram({
    name: 'landform_worker_phase_duration_seconds',
    help: 'Duration of the phases of runs.',
    labelNames: ['phase'],
    buckets,
    registers,
  })
  const build = {
    name: 'landform_build_info',
    help: 'Version of Landform.',
    labelNames: ['version'],
    registers,
  }
  new Gauge(build).set({ version }, 1)
  collectDefaultMetrics({ register: registry })
  return {
    count(event) {
      switch (event.type) {
        case 'run-started':
          return started.inc()
        case 'run-ended':
          ended.inc({ state: event.state })
          return runs.observe(event.durationMs / 1000)
        case 'phase-ended':
          return phases.observe({ phase: event.phase }, event.durationMs / 1000)
        case 'configure-accepted':
          return configures.inc()
        case 'run-retried':
          return retries.inc()
        case 'runs-adopted':
          return adopted.inc(event.runs)
        case 'database-failed':
          return databaseErrors.inc()
        default:
          return undefined
      }
    },
    async format(figures) {
      const own = await registry.metrics()
      return own.replace(/# EOF\n$/, '') + (await buildFleetRegistry(figures).metrics())
    },
  }
}

function createRegistry(): Registry<RegistryContentType> {
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(metricsType)
  return registry
}

/** Builds the metrics of the fleet. Every worker reports the same, so queries take the maximum. */
function buildFleetRegistry(figures: FleetFigures | undefined): Registry<RegistryContentType> {
  const registry = createRegistry()
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `landform_fleet_${name}`, help, registers: [registry] }).set(value)
  gauge('database_up', '1 if the database responded, else 0.', figures === undefined ? 0 : 1)
  if (figures === undefined) return registry
  const help = 'Sites by the state of their newest run.'
  const sites = new Gauge({
    name: 'landform_fleet_sites',
    help,
    labelNames: ['state'],
    registers: [registry],
  })
  for (const state of runStates) sites.set({ state }, figures.sites[state])
  gauge('oldest_queued_seconds', 'Age of the longest wait for a worker.', figures.oldestQueuedSeconds)
  gauge('workers', 'Workers with a valid lease.', figures.workers)
  gauge('worker_limit', 'Sum of the site limits of all workers.', figures.workerLimit)
  gauge('stopped_rollouts', 'Rollouts that were stopped and wait for a person.', figures.stoppedRollouts)
  return registry
}
