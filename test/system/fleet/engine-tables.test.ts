import pg from 'pg'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import { openEngineClient } from '../../../packages/fleet/src/engine/engine-client.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { describeWhere } from '../../support/test-where.js'

const run = { site: 'https://gis.example.org/admin', generation: 1, digest: 'sha256:1', priority: 100 }

describeWhere(postgresIsHere, postgresPackages)('the tables of the engine', () => {
  let server: PostgresServer
  let database: Database
  beforeAll(async () => {
    server = await postgres()
  })
  afterAll(async () => {
    await database?.close()
    await server?.stop()
  })

  test('are used once they are whole: whoever makes them is waited for', async () => {
    const connection = await server.freshDatabase()
    database = openDatabase(connection, { applicationName: 'test' })
    await database.rows('select 1')
    const maker = new pg.Client({ connectionString: connection })
    await maker.connect()
    await maker.query('select pg_advisory_lock(7305816222)')
    await maker.query('create schema dbos; create table dbos.queues ()')
    const opening = openEngineClient(database, connection)
    const asked = `select from pg_stat_activity where query like '%dbos.queues%' and pid <> pg_backend_pid()`
    while ((await maker.query(asked)).rowCount === 0);
    await maker.query('drop schema dbos cascade')
    await maker.end()
    const client = await opening
    await database.transaction((_, transaction) => client.enqueueRun(transaction, run))
    await client.close()
    const found = await database.rows('select queue_name as queue from dbos.workflow_status')
    expect(found).toEqual([{ queue: 'sites' }])
  })
})
