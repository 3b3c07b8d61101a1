import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../packages/fleet/src/database/database.js'
import { DatabaseError } from '../../../packages/fleet/src/database/database-error.js'
import { createStateBackend, postgresBackend } from '../../../packages/fleet/src/state/postgres-backend.js'
import { pooler } from '../../support/pooler.js'
import { describeDatabase } from '../../support/postgres.js'
import { postgresState } from '../../support/postgres-state.js'

const site = 'https://gis.example.org/arcgis/admin'

// `state/series.test.ts` has the tests for every kind of state.
describeDatabase('state in a database', postgresState, kept => {
  afterEach(() => kept.empty())

  test('is reserved for one run at a time, of this process or another', async () => {
    const [mine, theirs] = [kept.run(), kept.run()]
    const session = await mine.session()
    const taken = await mine.store(site).take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    const locked = {
      kind: 'locked',
      liveness: 'alive',
      lock: { purpose: 'apply', holder: { host: 'run 1' } },
    }
    expect(await mine.store(site).take('apply')).toMatchObject(locked)
    expect(await theirs.store(site).take('apply')).toMatchObject(locked)
    expect(await session.acquire(site, 'apply')).toMatchObject({ kind: 'locked' })
    await taken.held.release({ type: 'released' })
    expect((await mine.store(site).take('apply')).kind).toBe('held')
  })

  test('is rejected behind a pooler, which may pass a lock to other clients', async () => {
    const between = await pooler(kept.connection)
    const backend = postgresBackend(between.connection)
    const reason = { kind: 'reported', text: expect.stringContaining('connect to the server itself') }
    expect(await backend.guard?.take(site, 'apply')).toMatchObject({
      ok: false,
      error: { kind: 'unwritable', reason },
    })
    await between.close()
  })

  test('survives a restart of the server, without a duplicate version', async () => {
    const store = kept.run().store(site)
    const taken = await store.take('apply')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    const { held } = taken
    await kept.server.kill()
    const written = held.write({ type: 'renewed' }, content => content)
    await kept.server.restart()
    expect(await written).toEqual({ ok: true })
    expect(await held.release({ type: 'released' })).toEqual({ ok: true })
    const history = await store.history()
    expect(history.ok && history.value.map(({ entry }) => entry.type)).toEqual([
      'locked',
      'renewed',
      'released',
    ])
    // The first run's lock is free only after its connection is restored.
    const next = kept.run().store(site)
    let found = await next.take('apply')
    for (let tries = 0; found.kind === 'locked' && tries < 200; tries += 1) {
      await delay(50)
      found = await next.take('apply')
    }
    expect(found.kind).toBe('held')
  })

  test('finds an insert whose response was lost', async () => {
    let isCut = true
    const rows: Database['rows'] = async <T extends object>(sql: string, values?: readonly unknown[]) => {
      const answer = await kept.database.rows<T>(sql, values)
      if (sql.startsWith('insert') && isCut) {
        isCut = false
        throw new DatabaseError('the connection is gone', '08006')
      }
      return answer
    }
    const series = createStateBackend({ ...kept.database, rows }, { session: kept.run().session }).series(
      site,
    )
    expect(await series.add({ serial: 1, text: 'first' })).toEqual({ ok: true, value: true })
    expect(isCut).toBe(false)
    expect(await series.add({ serial: 1, text: 'first' })).toEqual({ ok: true, value: false })
  })
})
