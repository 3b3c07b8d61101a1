import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import {
  type Engine,
  type EngineOptions,
  launchEngine,
  touchedColumns,
  type WorkflowHandlers,
} from '../../../packages/fleet/src/engine/engine.js'
import type { Limits } from '../../../packages/fleet/src/engine/engine-client.js'
import { type EngineClient, openEngineClient } from '../../../packages/fleet/src/engine/engine-client.js'
import { formatWorkflowId } from '../../../packages/fleet/src/model/run.js'
import { sourcesBelow } from '../../support/import-graph.js'
import { root } from '../../support/manifests.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { describeWhere } from '../../support/test-where.js'

const run = { site: 'https://gis.example.org/admin', generation: 1, digest: 'sha256:1', priority: 100 }
const nothing: WorkflowHandlers = { apply: async () => undefined, rollout: async () => undefined }

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
    database = openDatabase(connection, { applicationName: 'test', maxConnections: 10 })
    client = await openEngineClient(database, connection)
    await client.limit(limits)
    engine = await launchEngine({
      connection,
      database,
      executor: 'worker-1',
      work: nothing,
      log: () => undefined,
      ...options,
    })
    return engine
  }
  afterEach(async () => {
    await engine?.close()
    await client.close()
    await database.close()
  })

  const rowsOf = async (key: { site: string; generation: number }) =>
    await database.rows('select * from dbos.workflow_status where workflow_uuid = $1', [
      formatWorkflowId(key),
    ])

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
    expect(writing).toEqual(['engine/engine.ts'])
  })

  test('begins the most urgent first, and no more than the limit of the fleet', async () => {
    const begun: string[] = []
    const open = new Set<string>()
    let most = 0
    const apply: WorkflowHandlers['apply'] = async ({ site }, steps) => {
      begun.push(site)
      open.add(site)
      most = Math.max(most, open.size)
      await steps.run('rest', async () => {
        await new Promise(resolve => setTimeout(resolve, 300))
      })
      open.delete(site)
    }
    await launch({ work: { ...nothing, apply } }, { limit: 5, fleetLimit: 2 })
    await database.transaction(async (_, transaction) => {
      for (const [site, priority] of [
        ['c', 200],
        ['d', 200],
        ['a', 1],
        ['b', 1],
      ] as const)
        await client.enqueueRun(transaction, { ...run, site, priority })
    })
    await until(async () => begun.length === 4 && open.size === 0)
    expect([begun.slice(0, 2).toSorted(), begun.slice(2).toSorted(), most]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      2,
    ])
  })

  test.each([
    ['its', 'worker-1'],
    ['another', 'worker-2'],
  ])('goes on with what a dead process had before all that waits, under %s name', async (_, executor) => {
    const slow: WorkflowHandlers['apply'] = (_payload, steps) =>
      steps.run('rest', () => new Promise<never>(() => undefined))
    const first = await launch({ work: { ...nothing, apply: slow } }, { limit: 1, fleetLimit: 1 })
    const order = (site: string, priority: number) =>
      database.transaction((__, transaction) => client.enqueueRun(transaction, { ...run, site, priority }))
    await order('under way', 200)
    await until(async () => (await first.listBusyExecutors()).length === 1)
    await order('urgent', 1)
    await first.settle(0)
    await first.close()

    const begun: string[] = []
    const apply: WorkflowHandlers['apply'] = async ({ site }) => void begun.push(site)
    engine = await launchEngine({
      connection,
      database,
      executor,
      work: { ...nothing, apply },
      log: () => undefined,
    })
    if (executor !== 'worker-1') expect(await engine.adopt(await engine.listBusyExecutors())).toBe(1)
    await until(async () => begun.length === 2)
    expect(begun).toEqual(['under way', 'urgent'])
  })

  test('takes over what may be in flight before what only waits', async () => {
    const sites = ['waits', 'waits, too', 'in flight']
    const never: WorkflowHandlers['apply'] = (_payload, steps) =>
      steps.run('rest', () => new Promise<never>(() => undefined))
    const dead = await launch({ work: { ...nothing, apply: never } })
    let begunByDead = 0
    for (const site of sites) {
      await database.transaction((_, transaction) => client.enqueueRun(transaction, { ...run, site }))
      begunByDead += 1
      await until(async () => (await pending()) === begunByDead)
    }
    await dead.settle(0)
    await dead.close()

    await client.limit({ limit: 1, fleetLimit: 1 })
    const begun: string[] = []
    const apply: WorkflowHandlers['apply'] = async ({ site }) => void begun.push(site)
    engine = await launchEngine({
      connection,
      database,
      executor: 'worker-2',
      work: { ...nothing, apply },
      log: () => undefined,
    })
    const waiting = sites.slice(0, 2).map(site => formatWorkflowId({ site, generation: run.generation }))
    expect(await engine.adopt(['worker-1'], waiting)).toBe(3)
    await until(async () => begun.length === 3)
    expect(begun).toEqual(['in flight', 'waits', 'waits, too'])
  })

  describe('once it is left', () => {
    const enqueued = (site: string) =>
      database.transaction((_, transaction) => client.enqueueRun(transaction, { ...run, site }))

    test('begins nothing that it takes until it is closed', async () => {
      const begun: string[] = []
      const apply: WorkflowHandlers['apply'] = async ({ site }) => void begun.push(site)
      const left = await launch({ work: { ...nothing, apply } })
      await left.settle(0)
      await enqueued('a')
      await until(async () => (await left.listBusyExecutors()).length === 1)
      expect(begun).toEqual([])
    })

    test.each([
      ['settles', (left: Engine) => left.settle(0)],
      ['is closed', (left: Engine) => left.settle(0).then(left.close)],
    ])('neither ends nor fails a step that is begun after it %s', async (_, leave) => {
      const ends: string[] = []
      let isBegun = false
      let goOn: () => void = () => undefined
      const apply: WorkflowHandlers['apply'] = async (_payload, steps) => {
        isBegun = true
        await new Promise<void>(resolve => {
          goOn = resolve
        })
        try {
          await steps.run('late', async () => void ends.push('done'))
          ends.push('ended')
        } catch {
          ends.push('failed')
        }
      }
      const left = await launch({ work: { ...nothing, apply } })
      await enqueued('a')
      await until(async () => isBegun)
      await leave(left)
      goOn()
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(ends).toEqual([])
      expect(await rowsOf({ ...run, site: 'a' })).toMatchObject([{ status: 'PENDING' }])
    })
  })

  describe('what it keeps', () => {
    test('is nothing of an exception but its code', async () => {
      const caught: unknown[] = []
      const canary = 'Canary-4711'
      const work: WorkflowHandlers = {
        ...nothing,
        apply: async (_, steps) => {
          await steps
            .run('observe', async () => {
              throw Object.assign(new Error(canary), { code: 'ECONNRESET', config: { data: canary } })
            })
            .catch((error: unknown) => caught.push(error))
          throw new Error(canary)
        },
      }
      await launch({ work })
      await database.transaction((_, transaction) => client.enqueueRun(transaction, run))
      await until(async () => (await rowsOf(run))[0]?.['status'] === 'ERROR')
      expect(caught).toMatchObject([{ message: 'a step failed: ECONNRESET', code: 'ECONNRESET' }])
      const tables = await database.rows(
        `select json_agg(s)::text || coalesce((select json_agg(o)::text from dbos.operation_outputs o), '') as text
         from dbos.workflow_status s`,
      )
      expect(tables[0]?.['text']).toContain('ECONNRESET')
      expect(tables[0]?.['text']).not.toContain(canary)
    })
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20))
}
