import { setTimeout as delay } from 'node:timers/promises'
import { version } from 'landform/cli'
import { hasEnded, type RunState, runStates } from 'landform/sites'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
  type RegistryContentType,
} from 'prom-client'
import { type HttpServer, startHttpServer } from '../http/http-server.js'
import type { ListenAddress } from '../model/listen-address.js'
import type { Load } from '../model/run.js'
import type { ReportWorkerEvent, WorkerEvent } from './log.js'

/**
 * Serves `/live`, `/ready` and `/metrics`, without names of sites or secrets. A process that responds is alive, because one
 * that lost its lease has ended. Rejects with the system error if it cannot listen.
 */
export function serveHealth(
  address: ListenAddress,
  health: ReturnType<typeof createWorkerHealth>,
): Promise<HttpServer> {
  const text = (body: string, status = 200) => ({
    status,
    type: 'text/plain; charset=utf-8',
    body: `${body}\n`,
  })
  const routes = {
    '/live': () => text('alive'),
    '/metrics': async () => ({ type: Registry.OPENMETRICS_CONTENT_TYPE, body: await health.metrics() }),
    async '/ready'() {
      const why = await health.unready()
      return why === undefined ? text('ready') : text(why, 503)
    },
  }
  return startHttpServer(routes, address)
}

/** Figures of the whole fleet at one moment, with its sites by state. */
type SiteFigures = Pick<Load, 'workers' | 'workerLimit' | 'oldestQueuedSeconds' | 'stoppedRollouts'> & {
  readonly sites: Readonly<Record<RunState, number>>
}

/** Maximum age of figures, because each request would be a query, and maximum wait for them, because collectors time out. */
const [maxAgeMs, maxWaitMs] = [5000, 5000]

/** Keeps the metrics and the readiness of a worker. A database that hangs counts as unreachable. */
export function createWorkerHealth(fleet: () => Promise<SiteFigures>, clock: { monotonicMs(): number }) {
  const { registry, count } = createWorkerMetrics()
  let isAtWork = false
  let last: { readonly at: number; readonly answer: Promise<SiteFigures | undefined> } | undefined
  const ask = () => {
    const now = clock.monotonicMs()
    if (last === undefined || now - last.at > maxAgeMs) {
      const timeout = delay(maxWaitMs, undefined, { ref: false })
      last = { at: now, answer: Promise.race([fleet(), timeout]).catch(() => undefined) }
    }
    return last.answer
  }
  const report: ReportWorkerEvent = event => {
    count(event)
    if (event.type === 'worker-started') isAtWork = true
    if (event.type === 'worker-stopping' || event.type === 'lease-lost') isAtWork = false
  }
  return {
    report,
    async unready() {
      if (!isAtWork) return 'the worker is not accepting sites'
      return (await ask()) === undefined ? 'the database cannot be used' : undefined
    },
    async metrics() {
      const own = (await registry.metrics()).replace(/# EOF\n$/, '')
      return own + (await buildFleetRegistry(await ask()).metrics())
    },
  }
}

const counters = {
  'run-started': ['worker_runs_started', 'Runs that this worker started or took over.'],
  'configure-accepted': ['worker_configures', 'Requests to create an organization, accepted by a service.'],
  'run-retried': ['worker_retries', 'Retries after temporary failures.'],
  'runs-adopted': ['worker_orphans_adopted', 'Runs taken over from dead workers.'],
  'database-failed': ['worker_database_errors', 'Failed database queries.'],
} as const satisfies Partial<Record<WorkerEvent['type'], readonly [name: string, help: string]>>

/** Upper bounds in seconds, from a site that is already ready to a configuration that takes half a day. */
const buckets = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200]

function createRegistry() {
  const registry = new Registry<RegistryContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const named = (name: string, help: string) => ({ name: `landform_${name}`, help, registers: [registry] })
  return { registry, named }
}

function createWorkerMetrics() {
  const { registry, named } = createRegistry()
  const counted = new Map<string, Counter>(
    Object.entries(counters).map(([type, [name, help]]) => [type, new Counter(named(name, help))]),
  )
  const ended = new Counter({
    ...named('worker_runs_ended', 'Runs that ended on this worker, by state.'),
    labelNames: ['state'],
  })
  // Prometheus shows no increase for a counter that is missing until its first event.
  for (const state of runStates.filter(hasEnded)) ended.inc({ state }, 0)
  const runs = new Histogram({
    ...named('worker_run_duration_seconds', 'Duration of runs, from the first start to the end.'),
    buckets,
  })
  const phases = new Histogram({
    ...named('worker_phase_duration_seconds', 'Duration of the phases of runs.'),
    labelNames: ['phase'],
    buckets,
  })
  new Gauge({ ...named('build_info', 'Version of Landform.'), labelNames: ['version'] }).set({ version }, 1)
  collectDefaultMetrics({ register: registry })
  const count: ReportWorkerEvent = event => {
    const { type } = event
    counted.get(type)?.inc(type === 'runs-adopted' ? event.runs : 1)
    if (type === 'phase-ended') phases.observe({ phase: event.phase }, event.durationMs / 1000)
    if (type === 'run-ended') {
      ended.inc({ state: event.state })
      runs.observe(event.durationMs / 1000)
    }
  }
  return { registry, count }
}

function buildFleetRegistry(figures: SiteFigures | undefined) {
  const { registry, named } = createRegistry()
  const gauge = (name: string, help: string, value: number) => new Gauge(named(name, help)).set(value)
  gauge('fleet_database_up', '1 if the database can be used, else 0.', figures === undefined ? 0 : 1)
  if (figures === undefined) return registry
  const help = 'Sites by the state of their newest run.'
  const sites = new Gauge({ ...named('fleet_sites', help), labelNames: ['state'] })
  for (const state of runStates) sites.set({ state }, figures.sites[state])
  gauge(
    'fleet_oldest_queued_seconds',
    'Longest time that a site has waited for a worker.',
    figures.oldestQueuedSeconds,
  )
  gauge('fleet_workers', 'Workers with a valid lease.', figures.workers)
  gauge('fleet_worker_limit', 'Sum of --limit of the workers with a valid lease.', figures.workerLimit)
  gauge('fleet_stopped_rollouts', 'Stopped rollouts, which wait for a person.', figures.stoppedRollouts)
  return registry
}
