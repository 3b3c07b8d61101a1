import { hasSubscribers } from 'node:diagnostics_channel'
import { basename } from 'node:path'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import { createFleetStore, type FleetStore } from '../../../packages/fleet/src/database/fleet-store.js'
import { openSession } from '../../../packages/fleet/src/database/session.js'
import { computeManifestDigest } from '../../../packages/fleet/src/model/manifest-digest.js'
import type { Run } from '../../../packages/fleet/src/model/run.js'
import type { WorkerEvent } from '../../../packages/fleet/src/worker/log.js'
import { runWorker, type WorkerOptions } from '../../../packages/fleet/src/worker/worker.js'
import { openSite } from '../../../src/library/open-site.js'
import { hasEnded } from '../../../src/plan/run-state.js'
import { thisProcess } from '../../../src/state/machine.js'
import { aFleet, type Fleet } from '../../support/a-fleet.js'
import { startProgram } from '../../support/landform-program.js'
import { describeDatabase, postgres } from '../../support/postgres.js'
import { someSecrets } from '../../support/some-secrets.js'

/** Longer than a busy machine delays a heartbeat. A worker checks for instructions four times as often. */
const leaseMs = 8000

describeDatabase('a worker', postgres, server => {
  let database: Database
  let store: FleetStore
  let connection: string
  const told: WorkerEvent[] = []
  const begun: { readonly end: Promise<unknown>; stop(): void }[] = []
  beforeAll(async () => {
    connection = await server.freshDatabase()
    database = openDatabase(connection, { maxConnections: 10 })
    store = createFleetStore(database)
  })
  afterEach(async () => {
    // A process has one engine, so a worker left by a failed test would make the next test fail.
    for (const { end, stop } of begun.splice(0)) {
      stop()
      await end.catch(() => undefined)
    }
    told.length = 0
  })
  afterAll(() => database.close())

  /** Starts a worker in this process. Returns its end and a function that stops it. */
  function working(folder: string, options: Partial<WorkerOptions> = {}) {
    const stop = new AbortController()
    const end = runWorker({
      leave: () => undefined,
      name: 'worker-1',
      leaseMs,
      limit: 5,
      version: '0',
      database,
      report: event => told.push(event),
      stop: stop.signal,
      pollMs: 50,
      openManifest: async ({ manifest }) => ({
        ok: true,
        value: { file: `${folder}/${manifest}`, environment: someSecrets },
      }),
      ...options,
    })
    const worker = { end, stop: () => stop.abort('SIGTERM') }
    begun.push(worker)
    end.catch(() => undefined)
    return worker
  }

  async function submit({ files }: Fleet, rollout: string): Promise<void> {
    const runs = await Promise.all(files.map(ordered))
    await store.submit({ id: rollout, submittedBy: 'ada@test', keepsGoing: false }, runs)
  }

  const runsWhen = (rollout: string, holds: (run: Run, at: number, runs: readonly Run[]) => boolean) =>
    when(
      () => store.runs({ rollout }),
      runs => runs.every(holds),
    )

  const runsSome = (rollout: string, holds: (run: Run) => boolean) =>
    when(
      () => store.runs({ rollout }).catch(() => []),
      runs => runs.some(holds),
    )

  test('applies manifests to sites, configures each once, and stops on request', async () => {
    const fleet = await aFleet(3)
    await submit(fleet, 'r1')
    const worker = working(fleet.folder)
    const runs = await runsWhen('r1', ({ state }) => hasEnded(state))
    expect(runs.map(({ state, exitCode }) => [state, exitCode])).toEqual(Array(3).fill(['done', 0]))
    expect([1, 2, 3].map(site => fleet.counters(site).configure)).toMatchObject(
      Array(3).fill(expect.anything()),
    )
    await when(
      async () => (await store.rollouts()).find(({ id }) => id === 'r1'),
      rollout => rollout?.state === 'done',
    )
    worker.stop()
    expect(await worker.end).toBe('stopped')
    expect(told.map(({ type }) => type)).toEqual(expect.arrayContaining(['worker-started', 'worker-stopped']))
  })

  test('hands over its waiting runs when it stops, and another continues without a second configure', async () => {
    const fleet = await aFleet(2, { stageMs: 60_000 })
    await submit(fleet, 'r2')
    const first = working(fleet.folder)
    await runsWhen('r2', ({ phase }) => phase === 'wait')
    first.stop()
    expect(await first.end).toBe('stopped')
    const second = working(fleet.folder, { name: 'worker-2' })
    const runs = await runsWhen('r2', ({ worker }) => worker === 'worker-2')
    expect(runs.map(({ state }) => state)).toEqual(['running', 'running'])

    await store.cancel(runs)
    const cancelled = await runsWhen('r2', ({ state }) => hasEnded(state))
    expect(cancelled.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    await submit(fleet, 'r3')
    await runsWhen('r3', ({ phase }) => phase === 'wait')
    expect(fleet.served.filter(({ operation }) => operation === 'configure')).toHaveLength(2)
    second.stop()
    await second.end
  })

  test('continues after the tables of the queue are dropped, and keeps its limits', async () => {
    const fleet = await aFleet(4, { stageMs: 300 })
    await submit(fleet, 'r4')
    const worker = working(fleet.folder, { limit: 4, fleetLimit: 2, leaseMs: 2000 })
    await when(
      () => store.runs({ rollout: 'r4' }),
      runs => runs.some(({ phase }) => phase === 'wait'),
    )
    await database.rows('drop schema dbos cascade')
    let most = 0
    await runsWhen('r4', ({ state }, _, runs) => {
      most = Math.max(most, runs.filter(run => run.state === 'running').length)
      return state === 'done'
    })
    expect(most).toBe(2)
    // The tables are created outside of a transaction: the engine would wait for it until its connection is closed.
    expect(told.flatMap(event => (event.type === 'database-failed' ? (event.code ?? '') : []))).not.toContain(
      '08006',
    )
    expect(fleet.served.filter(({ operation }) => operation === 'configure')).toHaveLength(4)
    worker.stop()
    expect(await worker.end).toBe('stopped')
  })

  test('prints nothing on stderr, even if its connections are cut', async () => {
    const fleet = await aFleet(20, { stageMs: 100 })
    await submit(fleet, 'r5')
    const words = ['fleet', 'worker', '--folder', fleet.folder, '--lease', '2s', '--poll-interval', '50ms']
    const { child, ended } = startProgram(words, {
      env: { ...someSecrets, LANDFORM_DATABASE_URL: connection },
    })
    const cut = () =>
      database.rows(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    for (const phase of ['configure', 'wait', 'update']) {
      await runsSome('r5', run => run.phase === phase || hasEnded(run.state))
      await cut()
    }
    await runsWhen('r5', ({ state }) => hasEnded(state))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 143, err: '' })
  })

  describe('does not start, or ends,', () => {
    test('when it is stopped while it waits for its name', async () => {
      const holder = await thisProcess()
      const other = await openSession(database, { id: 'worker-1', kind: 'worker', holder, leaseMs })
      const worker = working('.', { leaseMs: 60_000 })
      worker.stop()
      expect(await worker.end).toBe('stopped')
      await other?.close()
    })

    test('if another process has its name', async () => {
      const holder = await thisProcess()
      const other = await openSession(database, { id: 'worker-1', kind: 'worker', holder, leaseMs })
      if (other === undefined) throw new Error('a worker that was stopped still has its name')
      // It retries for longer than its own lease, while the other process stays alive.
      expect(await working('.', { leaseMs: 400 }).end).toBe('refused')
      await other.close()
    })

    test('once others have declared it dead', async () => {
      const { end } = working('.')
      await when(
        async () => told.map(({ type }) => type),
        types => types.includes('worker-started'),
      )
      await database.rows('delete from landform.session')
      expect(await end).toBe('lost')
      expect(told.at(-1)).toMatchObject({ type: 'lease-lost' })
      await when(
        async () => hasSubscribers('undici:client:sendHeaders'),
        isGated => !isGated,
      )
    })
  })
})

async function ordered(file: string) {
  const opened = await openSite({ file, environment: someSecrets })
  if (!opened.ok) throw new Error(opened.error.kind)
  const { value: site } = opened
  return {
    site: site.url,
    name: basename(file, '.yaml'),
    manifest: basename(file),
    digest: computeManifestDigest(site),
    wave: 1,
    priority: 100,
    timeoutMs: 600_000,
  }
}

async function when<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
