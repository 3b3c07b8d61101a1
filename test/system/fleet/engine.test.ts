import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import { type Engine, type EngineOptions, launchEngine } from '../../../packages/fleet/src/engine/engine.js'
import { formatWorkflowId, type Load, type QueuedRun } from '../../../packages/fleet/src/model/run.js'
import { sourcesBelow } from '../../support/import-graph.js'
import { root } from '../../support/manifests.js'
import { describeDatabase, postgres } from '../../support/postgres.js'

type Apply = EngineOptions['apply']
const maxConnections = 10
const never: Apply = () => new Promise<never>(() => undefined)
const load: Load = {
  ...{ now: 0, executors: ['worker-1'], active: 0, running: 0, oldestQueuedSeconds: 0, stoppedRollouts: 0 },
  ...{ workers: 1, limit: 5, workerLimit: 5 },
}

describeDatabase('the engine of a fleet', postgres, server => {
  let database: Database
  let engine: Engine | undefined
  beforeEach(async () => {
    database = openDatabase(await server.freshDatabase(), { maxConnections })
  })
  afterEach(async () => {
    await engine?.close()
    await database.close()
  })

  const launch = async (apply: Apply, executor = 'worker-1') => {
    const launched = await launchEngine({ database, executor, apply })
    engine = launched
    const derive = (runs: readonly QueuedRun[], of: Load) => launched.derive(async () => ({ runs, load: of }))
    return { ...launched, derive }
  }
  const aRun = (site: string, changes: Partial<QueuedRun> = {}): QueuedRun => ({
    site,
    generation: 1,
    priority: 100,
    ...changes,
  })
  const tickets = () =>
    database.rows<{ id: string; status: string }>(
      'select workflow_uuid as id, status from dbos.workflow_status order by 1',
    )
  const pending = async () => (await tickets()).filter(({ status }) => status === 'PENDING').length

  test('is used only through its exports: the package has no statement on its tables', () => {
    const texts = sourcesBelow('packages/fleet/src').map(file =>
      readFileSync(join(root, 'packages/fleet/src', file), 'utf8'),
    )
    expect(texts.filter(text => /\b(?:from|into|update|join|table) dbos\./.test(text))).toEqual([])
  })

  test('starts the most urgent runs first, up to the limit of the fleet', async () => {
    const begun: string[] = []
    const open: (() => void)[] = []
    const { derive } = await launch(async ({ site }) => {
      begun.push(site)
      await new Promise<void>(resolve => open.push(resolve))
    })
    const runs = [
      aRun('c', { priority: 200 }),
      aRun('d', { priority: 200 }),
      aRun('a', { priority: 1 }),
      aRun('b', { priority: 1 }),
    ]
    await derive(runs, { ...load, fleetLimit: 2 })
    let most = 0
    for (const count of [2, 3, 4]) {
      await until(async () => begun.length >= count)
      // The engine starts all permitted runs at once, so any run beyond the limit would be pending already.
      most = Math.max(most, await pending())
      open.shift()?.()
    }
    for (const end of open) end()
    await until(async () => (await pending()) === 0)
    expect([begun.slice(0, 2).toSorted(), begun.slice(2).toSorted(), most]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      2,
    ])
  })

  test('continues the runs of a dead process before waiting ones, those with a request in flight first', async () => {
    const had = [aRun('waits'), aRun('in flight')]
    const first = await launch(never)
    await first.derive(had, load)
    await until(async () => (await pending()) === 2)
    await first.close()

    const begun: string[] = []
    const second = await launch(async ({ site }) => void begun.push(site), 'worker-2')
    const runs = [
      aRun('urgent', { priority: 1 }),
      aRun('waits', { phase: 'wait' }),
      aRun('in flight', { phase: 'configure' }),
    ]
    await second.derive(runs, { ...load, limit: 1, executors: ['worker-2'] })
    await until(async () => begun.length === 3)
    expect(begun).toEqual(['in flight', 'waits', 'urgent'])
  })

  test('adds no run twice, and deletes ended ones', async () => {
    const begun: string[] = []
    const { derive } = await launch(async ({ site }) => void begun.push(site))
    for (let times = 0; times < 3; times += 1) await derive([aRun('a')], { ...load, limit: 1 })
    await until(async () => (await tickets()).every(({ status }) => status === 'SUCCESS'))
    expect(begun).toEqual(['a'])
    await derive([], load)
    expect(await tickets()).toEqual([])
  })

  test('queues thousands of runs at once', async () => {
    const { derive } = await launch(never)
    await derive(
      Array.from({ length: 3000 }, (_, at) => aRun(`site-${at}`)),
      { ...load, limit: 1 },
    )
    expect(await tickets()).toHaveLength(3000)
  })

  test('refills the queue after its tables were dropped, without ending current runs', async () => {
    const begun: string[] = []
    let goOn: () => void = () => undefined
    const { derive, settled, createTables } = await launch(async ({ site }) => {
      begun.push(site)
      if (site === 'a')
        await new Promise<void>(resolve => {
          goOn = resolve
        })
    })
    await derive([aRun('a')], load)
    await until(async () => begun.length === 1)
    await database.rows('drop schema dbos cascade')
    expect(await derive([aRun('b')], load)).toBe(false)
    await createTables()
    expect(await derive([aRun('b')], load)).toBe(true)
    await until(async () => begun.length === 2)
    goOn()
    await settled()
    expect(begun).toEqual(['a', 'b'])
    expect((await tickets()).map(({ id }) => id)).toEqual([formatWorkflowId(aRun('b'))])
  })

  test('starts nothing once it is closed', async () => {
    const begun: string[] = []
    const { derive, close } = await launch(async ({ site }) => void begun.push(site))
    await derive([aRun('a')], load)
    await close()
    await new Promise(resolve => setTimeout(resolve, 1500))
    expect(begun).toEqual([])
  })

  test('stores nothing of an exception', async () => {
    const canary = 'Canary-4711'
    const { derive } = await launch(async () => {
      throw Object.assign(new Error(canary), { code: 'ECONNRESET', config: { data: canary } })
    })
    await derive([aRun('a')], load)
    await until(async () => (await tickets())[0]?.status === 'SUCCESS')
    const tables = await database.rows(
      `select string_agg(query_to_xml(format('select * from dbos.%I', table_name), true, false, '')::text, '') as text
       from information_schema.tables where table_schema = 'dbos'`,
    )
    expect(tables[0]?.['text']).toContain('apply:a:1')
    expect(tables[0]?.['text']).not.toContain(canary)
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20))
}
