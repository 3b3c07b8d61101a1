import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import {
  type Engine,
  type EngineOptions,
  type Limits,
  launchEngine,
} from '../../../packages/fleet/src/engine/engine.js'
import { createEngineClient, type EngineClient } from '../../../packages/fleet/src/engine/engine-client.js'
import { formatWorkflowId } from '../../../packages/fleet/src/model/run.js'
import { sourcesBelow } from '../../support/import-graph.js'
import { root } from '../../support/manifests.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { describeWhere } from '../../support/test-where.js'

const run = { site: 'https://gis.example.org/admin', generation: 1, priority: 100 }
type Apply = EngineOptions['apply']
/** What the package reads and writes of a table of the engine; if a version changes it, see `engine.ts`. */
const touchedColumns = { executor_id: 'text', priority: 'integer', status: 'text', workflow_uuid: 'text' }
const maxConnections = 10
const never: Apply = () => new Promise<never>(() => undefined)

describeWhere(postgresIsHere, postgresPackages)('the engine of a fleet', () => {
  let server: PostgresServer
  let connection: string
  let database: Database
  let client: EngineClient
  let engine: Engine | undefined
  beforeAll(async () => {
    server = await postgres()
  })
  afterAll(() => server.stop())

  async function launch(
    options: Partial<EngineOptions> = {},
    limits: Limits = { limit: 5 },
  ): Promise<Engine> {
    connection = await server.freshDatabase()
    database = openDatabase(connection, { maxConnections })
    engine = await relaunch({ ...limits, ...options })
    client = await createEngineClient(database)
    return engine
  }
  const relaunch = (options: Partial<EngineOptions> & Limits) =>
    launchEngine({
      database,
      executor: 'worker-1',
      apply: async () => undefined,
      log: () => undefined,
      ...options,
    })
  afterEach(async () => {
    await engine?.close()
    await client.close()
    await database.close()
  })

  const rowsOf = async (key: { site: string; generation: number }) =>
    await database.rows('select * from dbos.workflow_status where workflow_uuid = $1', [
      formatWorkflowId(key),
    ])

  /**
   * Takes every connection once. The pool serves in order, so all that the engine has asked of it by now is over then.
   */
  const allWritten = async () => {
    await new Promise(setImmediate)
    const connections = await Promise.all(
      Array.from({ length: maxConnections }, () => database.pool.connect()),
    )
    for (const connection of connections) connection.release()
  }

  const pending = async () =>
    (await database.rows(`select from dbos.workflow_status where status = 'PENDING'`)).length

  test('has the columns that orphans are brought forward by, in one place', async () => {
    await launch()
    const found = await database.rows(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'dbos' and table_name = 'workflow_status' and column_name = any($1)`,
      [Object.keys(touchedColumns)],
    )
    expect(Object.fromEntries(found.map(({ name, type }) => [name, type]))).toEqual(touchedColumns)
    const writing = sourcesBelow('packages/fleet/src').filter(file =>
      /\b(?:update|insert into|delete from) dbos\./.test(
        readFileSync(join(root, 'packages/fleet/src', file), 'utf8'),
      ),
    )
    expect(writing).toEqual(['engine/engine-client.ts'])
  })

  test('begins the most urgent first, and no more than the limit of the fleet', async () => {
    const begun: string[] = []
    const open: (() => void)[] = []
    const apply: Apply = async ({ site }) => {
      begun.push(site)
      await new Promise<void>(resolve => open.push(resolve))
    }
    await launch({ apply }, { limit: 5, fleetLimit: 2 })
    await database.transaction(async (_, transaction) => {
      for (const [site, priority] of [
        ['c', 200],
        ['d', 200],
        ['a', 1],
        ['b', 1],
      ] as const)
        await client.enqueueRun(transaction, { ...run, site, priority })
    })
    let most = 0
    for (const count of [2, 3, 4]) {
      await until(async () => begun.length >= count)
      // The engine takes all that it may at once: what it begins a moment later is pending, too.
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

  test('goes on with what a dead process had before all that waits', async () => {
    const first = await launch({ apply: never }, { limit: 1, fleetLimit: 1 })
    const order = (site: string, priority: number) =>
      database.transaction((__, transaction) => client.enqueueRun(transaction, { ...run, site, priority }))
    await order('under way', 200)
    await until(async () => (await client.listBusyExecutors()).length === 1)
    await order('urgent', 1)
    await first.settle(0)
    await first.close()

    const begun: string[] = []
    const apply: Apply = async ({ site }) => void begun.push(site)
    expect(await client.adopt(await client.listBusyExecutors())).toBe(1)
    engine = await relaunch({ executor: 'worker-2', apply, limit: 1, fleetLimit: 1 })
    await until(async () => begun.length === 2)
    expect(begun).toEqual(['under way', 'urgent'])
  })

  test('has one process at what it takes twice', async () => {
    let [begun, open, most] = [0, 0, 0]
    let goOn: () => void = () => undefined
    let hasPolled = false
    const apply: Apply = async ({ site }) => {
      if (site !== run.site) {
        hasPolled = true
        return
      }
      begun += 1
      open += 1
      most = Math.max(most, open)
      if (begun === 1)
        await new Promise<void>(resolve => {
          goOn = resolve
        })
      open -= 1
    }
    await launch({ apply })
    await database.transaction((_, transaction) => client.enqueueRun(transaction, run))
    await until(async () => begun === 1)
    const owner = async () => (await rowsOf(run))[0]?.['owner_xid']
    const first = await owner()
    await client.requeue([formatWorkflowId(run)])
    await until(async () => ![first, null].includes(await owner()))
    // The engine has taken it once more, and begins it before it takes anything else.
    await database.transaction((_, transaction) => client.enqueueRun(transaction, { ...run, site: 'next' }))
    await until(async () => hasPolled)
    goOn()
    await until(async () => (await rowsOf(run))[0]?.['status'] === 'SUCCESS')
    expect(most).toBe(1)
  })

  test('takes over what may be in flight before what only waits', async () => {
    const sites = ['waits', 'waits, too', 'in flight']
    const dead = await launch({ apply: never })
    let begunByDead = 0
    for (const site of sites) {
      await database.transaction((_, transaction) => client.enqueueRun(transaction, { ...run, site }))
      begunByDead += 1
      await until(async () => (await pending()) === begunByDead)
    }
    await dead.settle(0)
    await dead.close()
    await database.rows(
      `insert into landform.rollout (id, submitted_by, waves, keeps_going) values ('r', 'x', 1, false)`,
    )
    await database.rows(
      `insert into landform.run (site, generation, rollout, wave, name, manifest, digest, priority, timeout_ms, state, phase)
       select site, 1, 'r', 1, '', '', '', 100, 1, 'running', 'wait' from unnest($1::text[]) as site`,
      [sites.slice(0, 2)],
    )

    const begun: string[] = []
    const apply: Apply = async ({ site }) => void begun.push(site)
    engine = await relaunch({ executor: 'worker-2', apply, limit: 1, fleetLimit: 1 })
    expect(await client.adopt(['worker-1'])).toBe(3)
    await until(async () => begun.length === 3)
    expect(begun).toEqual(['in flight', 'waits', 'waits, too'])
  })

  test('does not begin what was withdrawn from the queue', async () => {
    const begun: string[] = []
    await launch({ apply: async ({ site }) => void begun.push(site) })
    await database.transaction(async (_, transaction) => {
      for (const site of ['a', 'b']) await client.enqueueRun(transaction, { ...run, site })
    })
    await client.withdraw([{ ...run, site: 'a' }])
    await until(async () => begun.length > 0)
    expect(begun).toEqual(['b'])
    expect(await rowsOf({ ...run, site: 'a' })).toMatchObject([{ status: 'CANCELLED' }])
  })

  describe('once it is left', () => {
    const enqueued = (site: string) =>
      database.transaction((_, transaction) => client.enqueueRun(transaction, { ...run, site }))

    test('begins nothing that it takes until it is closed', async () => {
      const begun: string[] = []
      const apply: Apply = async ({ site }) => void begun.push(site)
      const left = await launch({ apply })
      await left.settle(0)
      await enqueued('a')
      await until(async () => (await client.listBusyExecutors()).length === 1)
      expect(begun).toEqual([])
    })

    test.each([
      ['settles', (left: Engine) => left.settle(0)],
      ['is closed', (left: Engine) => left.settle(0).then(left.close)],
    ])('records no end of a run that ends after it %s', async (_, leave) => {
      let isBegun = false
      let goOn: () => void = () => undefined
      const apply: Apply = async () => {
        isBegun = true
        await new Promise<void>(resolve => {
          goOn = resolve
        })
      }
      const left = await launch({ apply })
      await enqueued('a')
      await until(async () => isBegun)
      await leave(left)
      goOn()
      await allWritten()
      expect(await rowsOf({ ...run, site: 'a' })).toMatchObject([{ status: 'PENDING' }])
    })
  })

  describe('what it keeps', () => {
    test('is nothing of an exception', async () => {
      const canary = 'Canary-4711'
      const apply: Apply = async () => {
        throw Object.assign(new Error(canary), { code: 'ECONNRESET', config: { data: canary } })
      }
      await launch({ apply })
      await database.transaction((_, transaction) => client.enqueueRun(transaction, run))
      await until(async () => (await rowsOf(run))[0]?.['status'] === 'ERROR')
      const tables = await database.rows(
        `select string_agg(query_to_xml(format('select * from dbos.%I', table_name), true, false, '')::text, '') as text
         from information_schema.tables where table_schema = 'dbos'`,
      )
      expect(tables[0]?.['text']).toContain('a run failed')
      expect(tables[0]?.['text']).not.toContain(canary)
    })
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20))
}
