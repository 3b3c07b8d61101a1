import { prune } from '../../../packages/fleet/src/commands/prune.js'
import type { NewRun } from '../../../packages/fleet/src/database/add-runs.js'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import { createFleetStore, type FleetStore } from '../../../packages/fleet/src/database/fleet-store.js'
import { readFleetFigures } from '../../../packages/fleet/src/database/view.js'
import { fakeHost } from '../../support/fake-host.js'
import { setRollout } from '../../support/fleet-office.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { describeWhere } from '../../support/test-where.js'

const aRun: Omit<NewRun, 'site'> = {
  name: 'north',
  manifest: 'north.yaml',
  digest: 'sha256:0',
  wave: 1,
  priority: 100,
  timeoutMs: 1000,
}

describeWhere(postgresIsHere, postgresPackages)('fleet prune', () => {
  let server: PostgresServer
  let connection = ''
  let database: Database
  let store: FleetStore
  beforeAll(async () => {
    server = await postgres()
    connection = await server.freshDatabase()
    database = openDatabase(connection)
    store = createFleetStore(database)
  })
  afterAll(async () => {
    await database?.close()
    await server?.stop()
  })
  beforeEach(() => database.rows('truncate landform.run, landform.rollout, landform.event'))

  /** Submits sites whose runs ended this many days ago. */
  async function submitted(id: string, sites: readonly string[], daysAgo: number): Promise<void> {
    const runs = sites.map(site => ({ ...aRun, site }))
    const rollout = { id, submittedBy: 'x', keepsGoing: false }
    for (const run of await store.submit(rollout, runs)) {
      await store.addEvents(run, [{ type: 'ended', message: 'done' }])
      await store.end(run, { state: 'done', message: 'done' })
    }
    const at = `clock_timestamp() - ${daysAgo} * interval '1 day'`
    await setRollout(database, id, { wave: 1, state: 'done' })
    await database.rows(`update landform.run set ended_at = ${at} where rollout = $1`, [id])
    await database.rows(`update landform.rollout set submitted_at = ${at} where id = $1`, [id])
  }

  const kept = async () => ({
    runs: (await store.runs({ generations: 'all' })).map(
      ({ site, generation }) => `apply:${site}:${generation}`,
    ),
    rollouts: (await store.rollouts()).map(({ id }) => id),
    events: (await database.rows('select site from landform.event')).length,
  })

  const run = (options: { readonly yes: boolean; readonly days?: string; readonly answer?: string }) => {
    const { answer, ...rest } = { days: '90', ...options }
    const host = fakeHost({
      environment: { LANDFORM_DB: connection },
      ...(answer !== undefined && { answer }),
    })
    const argv = {
      database: 'env:LANDFORM_DB',
      color: 'never',
      quiet: false,
      'no-input': false,
      ...rest,
    } as const
    return prune(argv, host).then(code => ({ code, out: host.out(), err: host.err() }))
  }

  test('keeps the newest run of each site, with its events', async () => {
    await submitted('r1', ['a', 'b'], 300)
    await submitted('r2', ['a'], 200)
    await submitted('r3', ['a'], 1)
    expect(await run({ yes: true })).toMatchObject({
      code: 0,
      out: 'Deleted 2 runs that ended more than 90 days ago.\n',
    })
    const left = { runs: ['apply:a:3', 'apply:b:1'], rollouts: ['r3', 'r1'], events: 2 }
    expect(await kept()).toEqual(left)
    expect((await run({ yes: true })).out).toBe('Nothing to delete: no runs ended more than 90 days ago.\n')
    expect((await run({ yes: true, days: '1' })).out).toBe(
      'Nothing to delete: no runs ended more than 1 day ago.\n',
    )
  })

  test('requires confirmation', async () => {
    await submitted('r1', ['a'], 100)
    await submitted('r2', ['a'], 1)
    const before = await kept()
    expect(await run({ yes: false })).toMatchObject({ code: 78, err: expect.stringContaining('--yes') })
    expect(await run({ yes: false, answer: 'no' })).toMatchObject({ code: 78 })
    expect(await kept()).toEqual(before)
    expect(await run({ yes: false, answer: 'yes' })).toMatchObject({ code: 0 })
    expect((await kept()).runs).toEqual(['apply:a:2'])
  })

  test('keeps the metrics: sites by state, the longest wait, and live workers', async () => {
    const rollout = { id: 'r1', submittedBy: 'x', keepsGoing: false }
    const runs = ['a', 'b'].map(site => ({ ...aRun, site }))
    await store.submit(rollout, runs)
    const waiting = await readFleetFigures(database, store)
    expect(waiting).toMatchObject({ sites: { waiting: 2, queued: 0 }, oldestQueuedSeconds: 0, workers: 0 })
    await store.queueWave('r1', 1)
    await database.rows(`update landform.run set changed_at = clock_timestamp() - interval '1 minute'
      where site = 'a'`)
    await setRollout(database, 'r1', { wave: 1, state: 'stopped' })
    for (const [id, age] of [
      ['w1', '0 s'],
      ['w2', '1 h'],
    ])
      await database.rows(
        `insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details, beat_at)
         values ($1, $1, 'worker', '{}', 0, 10000, '{"limit":20}', clock_timestamp() - $2::interval)`,
        [id, age],
      )
    const figures = await readFleetFigures(database, store)
    expect(figures).toMatchObject({ workers: 1, workerLimit: 20, stoppedRollouts: 1, sites: { queued: 2 } })
    expect(figures.oldestQueuedSeconds).toBeGreaterThanOrEqual(60)
    expect(figures.oldestQueuedSeconds).toBeLessThan(120)
  })
})
