import type { HttpServer } from '../../packages/fleet/src/http/http-server.js'
import { createWorkerHealth, serveHealth } from '../../packages/fleet/src/worker/worker-health.js'
import { type RunState, runStates } from '../../src/plan/run-state.js'
import { parseOpenMetrics } from '../support/open-metrics.js'

const none = Object.fromEntries(runStates.map(state => [state, 0])) as Record<RunState, number>
const sites = { ...none, ambiguous: 2, done: 5 }
const figures = { sites, oldestQueuedSeconds: 61.5, workers: 2, workerLimit: 40, stoppedRollouts: 1 }
const run = { site: 'https://gis.example.org/north/admin', generation: 3, name: 'north' }

const healthOf = (fleet = async () => figures, monotonicMs = () => 0) =>
  createWorkerHealth(fleet, { monotonicMs })
const started = {
  type: 'worker-started',
  limit: 20,
  version: '0.1.0',
  database: 'postgres://db/fleet',
} as const
const stopping = { type: 'worker-stopping', signal: 'SIGTERM' } as const
const lost = { type: 'lease-lost', why: 'other workers declared it dead' } as const

const open: HttpServer[] = []
afterEach(() => Promise.all(open.splice(0).map(server => server.close())))

/** Serves the metrics and probes of a worker over HTTP. */
async function served(health = healthOf()) {
  const server = await serveHealth({ host: '127.0.0.1', port: 0 }, health)
  open.push(server)
  return async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
}

describe('the metrics of a worker', () => {
  test('are OpenMetrics according to the specification', async () => {
    const get = await served()
    const { status, type, text } = await get('/metrics')
    expect([status, type]).toEqual([200, 'application/openmetrics-text; version=1.0.0; charset=utf-8'])
    const families = parseOpenMetrics(text)
    expect(families.size).toBeGreaterThan(15)
    for (const [name, { help }] of families)
      expect([name, help]).toEqual([name, expect.stringMatching(name.startsWith('landform_') ? /\.$/ : /\w/)])
  })

  test('count its events, and name no site', async () => {
    const health = healthOf()
    health.report({ type: 'run-started', run })
    health.report({ type: 'configure-accepted', run })
    health.report({ type: 'run-retried', run, why: 'the site is in trouble', pauseMs: 60_000 })
    health.report({ type: 'phase-ended', run, phase: 'wait', durationMs: 1_200_000 })
    health.report({ type: 'run-ended', run, state: 'failed', outcome: 'x', durationMs: 1_300_500 })
    health.report({ type: 'runs-adopted', from: 'worker-1', runs: 7 })
    health.report({ type: 'database-failed', why: 'ECONNREFUSED' })
    const text = await health.metrics()
    const families = parseOpenMetrics(text)
    const value = (name: string, wanted: Readonly<Record<string, string>> = {}) =>
      [...families.values()]
        .flatMap(({ samples }) => samples)
        .find(
          sample =>
            sample.name === name && Object.entries(wanted).every(([key, one]) => sample.labels[key] === one),
        )?.value
    expect(value('landform_worker_runs_started_total')).toBe(1)
    expect(value('landform_worker_runs_ended_total', { state: 'failed' })).toBe(1)
    expect(value('landform_worker_runs_ended_total', { state: 'done' })).toBe(0)
    expect(value('landform_worker_configures_total')).toBe(1)
    expect(value('landform_worker_retries_total')).toBe(1)
    expect(value('landform_worker_orphans_adopted_total')).toBe(7)
    expect(value('landform_worker_database_errors_total')).toBe(1)
    expect(value('landform_worker_run_duration_seconds_bucket', { le: '900' })).toBe(0)
    expect(value('landform_worker_run_duration_seconds_bucket', { le: '1800' })).toBe(1)
    expect(value('landform_worker_run_duration_seconds_sum')).toBe(1300.5)
    expect(value('landform_worker_phase_duration_seconds_count', { phase: 'wait' })).toBe(1)
    expect(value('landform_fleet_sites', { state: 'ambiguous' })).toBe(2)
    expect(value('landform_fleet_oldest_queued_seconds')).toBe(61.5)
    expect(value('landform_fleet_workers')).toBe(2)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7)
    expect(text).not.toMatch(/north|example/)
  })

  test('are available without a database, and report that it is not', async () => {
    const health = healthOf(() => Promise.reject(new Error('away')))
    const families = parseOpenMetrics(await health.metrics())
    expect(families.get('landform_fleet_database_up')?.samples[0]?.value).toBe(0)
    expect(families.has('landform_fleet_sites')).toBe(false)
    expect(families.has('landform_worker_configures')).toBe(true)
  })

  test('query the database once for all requests within five seconds', async () => {
    let [asked, now] = [0, 0]
    const fleet = async () => {
      asked += 1
      return figures
    }
    const health = healthOf(fleet, () => now)
    await Promise.all([health.metrics(), health.unready(), health.metrics()])
    expect(asked).toBe(1)
    now = 5001
    await health.metrics()
    expect(asked).toBe(2)
  })
})

describe('a probe', () => {
  test.each([
    ['a running worker', [started], undefined, 200, 'ready\n'],
    ['a worker that has no lease yet', [], undefined, 503, 'the worker is not accepting sites\n'],
    ['a worker that lost its lease', [started, lost], undefined, 503, 'the worker is not accepting sites\n'],
    ['a worker that is stopping', [started, stopping], undefined, 503, 'the worker is not accepting sites\n'],
    [
      'a worker without a database',
      [started],
      () => Promise.reject(new Error('at postgres://a:secret@b')),
      503,
      'the database cannot be used\n',
    ],
  ])('reports %s', async (_what, events, fleet, status, text) => {
    const health = healthOf(fleet)
    for (const event of events) health.report(event)
    const get = await served(health)
    expect(await get('/ready')).toMatchObject({ status, text })
    expect(await get('/live')).toMatchObject({ status: 200 })
  })

  test('does not exist at any other path', async () => {
    const get = await served()
    expect(await get('/api')).toMatchObject({ status: 404 })
    expect(await get('/metrics', 'POST')).toMatchObject({ status: 405 })
  })
})
