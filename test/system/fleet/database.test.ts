import { setTimeout as delay } from 'node:timers/promises'
import { lockRuns, type NewRun } from '../../../packages/fleet/src/database/add-runs.js'
import { advisoryLocks, type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import { createFleetStore } from '../../../packages/fleet/src/database/fleet-store.js'
import type { Rollout, RunKey } from '../../../packages/fleet/src/model/run.js'
import { anOrder, findRun } from '../../support/fleet-office.js'
import { httpDouble } from '../../support/http-double.js'
import { pooler } from '../../support/pooler.js'
import { describeDatabase, postgres } from '../../support/postgres.js'

describeDatabase('the database of a fleet', postgres, server => {
  const opened: Database[] = []
  const open = (connection: string) => {
    const database = openDatabase(connection)
    opened.push(database)
    return database
  }
  afterAll(async () => {
    for (const database of opened) await database.close()
  })

  test('gets its tables once, even with concurrent clients', async () => {
    const connection = await server.freshDatabase()
    const databases = Array.from({ length: 4 }, () => open(connection))
    await Promise.all(databases.map(database => database.rows('select 1 as one')))
    const versions = await open(connection).rows('select version from landform.format order by version')
    expect(versions).toEqual([{ version: 1 }])
  })

  test('is queried again if a connection falls silent without closing', async () => {
    const connection = await server.freshDatabase()
    const pipe = Number(new URL(connection).port)
    const proxy = await httpDouble([{ on: 'connection', reply: { pipe } }])
    const database = openDatabase(proxy.at(connection), { queryDeadlineMs: 500 })
    try {
      await database.rows('select 1 as one')
      const frozen = proxy.freeze()
      // Neither side is notified: without a deadline this would wait forever.
      await expect(database.rows('select 1 as one')).rejects.toMatchObject({ name: 'DatabaseError' })
      expect(frozen).toBeGreaterThan(0)
      expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      await database.close()
    }
  })

  test('of a newer Landform is not changed', async () => {
    const connection = await server.freshDatabase()
    await open(connection).rows('insert into landform.format values (99)')
    await expect(open(connection).rows('select 1')).rejects.toMatchObject({
      name: 'DatabaseError',
      code: 'LANDFORM_NEWER',
    })
  })

  test('of a newer Landform is recognized by a user without write permissions, too', async () => {
    const connection = await server.freshDatabase()
    const owner = open(connection)
    await owner.rows('insert into landform.format values (99)').catch(() => undefined)
    await owner.rows(`create role reader login password 'reader'`)
    await owner.rows('grant usage on schema landform to reader')
    await owner.rows('grant select on landform.format to reader')
    const reader = open(connection.replace(/\/\/[^@]*@/, '//reader:reader@'))
    await expect(reader.rows('select 1')).rejects.toMatchObject({ code: 'LANDFORM_NEWER' })
  })

  test.each([
    ['a query', (database: Database) => database.rows('select 1')],
    ['a separate connection', (database: Database) => database.openConnection(1000)],
  ])('keeps no process alive after %s without a password', async (_, ask) => {
    const sockets = () => process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length
    const before = sockets()
    const database = open(`postgres://landform@127.0.0.1:${server.port}/postgres`)
    await expect(ask(database)).rejects.toMatchObject({ code: '28P01' })
    for (let turn = 0; turn < 100 && sockets() > before; turn += 1)
      await new Promise(resolve => setImmediate(resolve))
    expect(sockets()).toBeLessThanOrEqual(before)
  })

  test.each([
    ['a query', (database: Database) => database.rows('select 1')],
    ['a transaction', (database: Database) => database.transaction(asking => asking.rows('select 1'))],
    ['a separate connection', (database: Database) => database.openConnection(10_000)],
  ])('is rejected behind a pooler by %s, which keeps no connection to it', async (_, ask) => {
    const connection = await server.freshDatabase()
    await open(connection).rows('select 1')
    const between = await pooler(connection)
    await expect(ask(open(between.connection))).rejects.toMatchObject({
      name: 'DatabaseError',
      code: 'LANDFORM_POOLER',
    })
    await between.close()
  })

  test('ends a transaction whose process is suspended, and with it its locks', async () => {
    const database = open(await server.freshDatabase())
    const shown = await database.transaction(asking =>
      asking.rows('show idle_in_transaction_session_timeout'),
    )
    expect(shown).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
  })

  test('has a separate advisory lock for each purpose', () => {
    const numbers = Object.values(advisoryLocks)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('reports a failed login without the password', async () => {
    const wrong = `postgres://landform:pa55word@127.0.0.1:${server.port}/postgres`
    const failure = await open(wrong)
      .rows('select 1')
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'DatabaseError', code: '28P01' })
    expect(String((failure as Error).stack)).not.toContain('pa55word')
  })

  test('may lose a connection in a transaction, and then accepts the next one', async () => {
    const database = open(await server.freshDatabase())
    const broken = database.transaction(async asking => {
      const [row] = await asking.rows('select pg_backend_pid() as backend')
      await database.rows('select pg_terminate_backend($1, 1000)', [row?.['backend']])
      // The server's message then arrives while no query is running.
      await new Promise(resolve => setImmediate(resolve))
      return asking.rows('select 1')
    })
    await expect(broken).rejects.toMatchObject({ name: 'DatabaseError' })
    expect(await database.transaction(asking => asking.rows('select 1 as one'))).toEqual([{ one: 1 }])
  })

  test('rolls back a failed transaction, and continues', async () => {
    const database = open(await server.freshDatabase())
    const failed = database.transaction(async asking => {
      await asking.rows(
        `insert into landform.rollout (id, submitted_by, waves, keeps_going) values ('r', '', 1, false)`,
      )
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await createFleetStore(database).rollouts()).toEqual([])
  })

  test('can be used again a second after the server was killed and restarted', async () => {
    const database = open(await server.freshDatabase())
    await database.rows('select 1')
    await server.kill()
    await expect(database.rows('select 1')).rejects.toMatchObject({ name: 'DatabaseError' })
    await server.restart()
    await delay(1000)
    expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('causes no warning of Node.js for a connection with many concurrent queries, or a closed one', async () => {
    const database = open(await server.freshDatabase())
    const warnings: string[] = []
    const listen = ({ message }: Error) => void warnings.push(message)
    process.on('warning', listen)
    const one = await database.openConnection(5000)
    const ask = () =>
      Promise.allSettled(Array.from({ length: 20 }, () => one.rows('select pg_backend_pid() as pid')))
    const pids = (await ask()).map(end => (end.status === 'fulfilled' ? end.value[0]?.['pid'] : undefined))
    expect(new Set(pids).size).toBe(1)
    await database.rows('select pg_terminate_backend($1, 5000)', [pids[0]])
    await one.closed
    expect((await ask()).every(({ status }) => status === 'rejected')).toBe(true)
    await new Promise(setImmediate)
    process.off('warning', listen)
    expect(warnings).toEqual([])
  })

  test('records the runs of a site, from submission to end', async () => {
    const store = createFleetStore(open(await server.freshDatabase()))
    const submit = (id: string, ...runs: readonly NewRun[]) =>
      store.submit({ id, submittedBy: 'ada@ci-17', keepsGoing: false }, runs)
    const [berlin, ulm] = [aRun('berlin', 1), aRun('ulm', 2)]
    expect(await submit('one', berlin, ulm)).toEqual([
      { site: berlin.site, generation: 1, is: 'new' },
      { site: ulm.site, generation: 1, is: 'new' },
    ])
    expect(await submit('two', berlin)).toEqual([{ site: berlin.site, generation: 1, is: 'same' }])
    await store.queueWave('one', 1)
    expect(await store.queuedRuns()).toEqual([{ site: berlin.site, generation: 1, priority: 100 }])
    expect(await submit('three', { ...berlin, digest: 'sha256:b' })).toEqual([
      { site: berlin.site, generation: 2, is: 'behind' },
    ])
    expect((await store.rollouts()).map(({ id }) => id)).toEqual(['three', 'one'])
    const rollout = async (id: string) => (await store.rollouts()).find(one => one.id === id) as Rollout
    expect(await rollout('one')).toMatchObject({ wave: 1, waves: 2, keepsGoing: false, state: 'running' })

    const key = { site: berlin.site, generation: 1 }
    // The next run of a site waits for the end of this one.
    await store.queueWave('three', 1)
    expect(await store.queuedRuns()).toMatchObject([key])
    // The caller that resumes the first run has not seen the second.
    expect(await submit('late', { ...berlin, generation: 1 })).toMatchObject([{ is: 'same' }])
    expect(await store.start(key, 'ada/1')).toMatchObject({ state: 'running', worker: 'ada' })
    // A process that got no answer may retry; no other process gets the run.
    expect(await store.start(key, 'ada/1')).toMatchObject({ state: 'running' })
    expect(await store.start(key, 'bob/1')).toBeUndefined()
    await store.queueWave('three', 1)
    expect(await store.queuedRuns()).toEqual([])
    const warnings = ['"quoted" \\ text']
    await store.progress(key, 'ada/1', { phase: 'wait', warnings, stages: [] })
    await store.progress(key, 'ada/1', { message: 'stage 2', retries: 1 })
    expect(await findRun(store, key)).toMatchObject({
      state: 'running',
      phase: 'wait',
      message: 'stage 2',
      warnings,
      retries: 1,
    })
    await store.addEvents(key, [
      { type: 'started', message: 'began' },
      { type: 'ended', message: "it's done" },
    ])
    expect((await store.events(key)).map(({ type, message }) => [type, message])).toEqual([
      ['started', 'began'],
      ['ended', "it's done"],
    ])
    await store.end(key, 'bob/1', { state: 'failed', message: 'too late', exitCode: 5 })
    await store.progress(key, 'bob/1', { phase: 'update' })
    expect(await findRun(store, key)).toMatchObject({ state: 'running', phase: 'wait' })
    await store.end(key, 'ada/1', { state: 'done', message: 'done', exitCode: 0 })
    await store.queueWave('three', 1)
    expect(await store.queuedRuns()).toMatchObject([{ generation: 2 }])
    const ended = await findRun(store, key)
    expect(ended).toMatchObject({ state: 'done', exitCode: 0, isCancelRequested: false })
    expect(ended).not.toHaveProperty('phase')
    expect(Math.abs((ended?.endedAt ?? 0) - Date.now())).toBeLessThan(60_000)

    // A process that was suspended continues after another one has finished its work.
    expect(await store.start(key, 'stood-still')).toBeUndefined()
    await store.end(key, 'ada/1', { state: 'cancelled', message: 'cancelled', exitCode: 130 })
    await store.progress(key, 'ada/1', { phase: 'observe', message: '', retries: 2 })
    expect(await findRun(store, key)).toEqual(ended)

    expect((await store.runs()).map(({ name, generation }) => [name, generation])).toEqual([
      ['berlin', 2],
      ['ulm', 1],
    ])
    expect((await store.runs({ sites: ['berlin'], generations: 'all' })).length).toBe(2)
    expect(await store.runs({ states: ['done'] })).toEqual([])
    expect(await store.counts()).toMatchObject({ queued: 1, waiting: 1, done: 0 })
    expect(await store.cancel([key, { site: ulm.site, generation: 1 }])).toMatchObject([
      { site: ulm.site, generation: 1, state: 'cancelled' },
    ])
    expect(await findRun(store, { site: ulm.site, generation: 1 })).toMatchObject({
      state: 'cancelled',
      isCancelRequested: true,
    })
    const before = await rollout('one')
    expect(await store.moveRollout(before, { wave: 2, state: 'running' })).toBe(true)
    // The rollout moved since it was read, so another worker cannot move it again.
    expect(await store.moveRollout(before, { wave: 1, state: 'stopped' })).toBe(false)
    // Nor can a worker move a rollout whose wave has unfinished runs, for example after a resume.
    expect(await store.moveRollout(await rollout('three'), { wave: 1, state: 'stopped' })).toBe(false)
    expect(await store.cancel([], ['three'])).toMatchObject([{ ...key, generation: 2, state: 'cancelled' }])
    expect(await store.moveRollout(await rollout('three'), { wave: 1, state: 'running' })).toBe(false)
    expect((await store.runningRollouts()).map(({ id, wave }) => [id, wave])).toEqual([['one', 2]])
  })

  test('does not queue a run that is cancelled while its wave starts', async () => {
    const database = open(await server.freshDatabase())
    const store = createFleetStore(database)
    await store.submit({ id: 'one', submittedBy: '', keepsGoing: false }, [aRun('berlin', 1)])
    const begun = await database.transaction(async runner => {
      await lockRuns(runner)
      const queueing = store.queueWave('one', 1)
      const waiting = `select from pg_locks where locktype = 'advisory' and not granted`
      while ((await runner.rows(waiting)).length === 0);
      await runner.rows(`update landform.run set state = 'cancelled'`)
      return { queueing }
    })
    await begun.queueing
    expect(await store.queuedRuns()).toEqual([])
  })

  test('queues the runs of dead processes again, first and with their phase, and no others', async () => {
    const database = open(await server.freshDatabase())
    const store = createFleetStore(database)
    const names = ['at-the-living', 'at-the-dead', 'queued']
    const submitted = await store.submit(
      { id: 'one', submittedBy: '', keepsGoing: false },
      names.map(name => ({ ...aRun(name, 1), priority: name === 'queued' ? 1 : 100 })),
    )
    await store.queueWave('one', 1)
    await database.rows(`insert into landform.session (id, incarnation, kind, holder, backend, lease_ms)
      values ('ada', '2', 'worker', '{}', 1, 1)`)
    const [living, dead] = submitted.slice(0, 2) as unknown as [RunKey, RunKey]
    await store.start(living, 'ada/2')
    await store.start(dead, 'ada/1')
    await store.progress(dead, 'ada/1', { phase: 'configure' })
    expect(await store.requeueOrphans()).toEqual([{ executor: 'ada/1', runs: 1 }])
    expect(await store.requeueOrphans()).toEqual([])
    expect(await store.queuedRuns()).toMatchObject([{ site: dead.site, phase: 'configure' }, { priority: 1 }])
    // A request of the dead process may be in flight, so a worker must determine its outcome.
    const cancelled = await store.cancel(submitted)
    expect(new Map(cancelled.map(({ site, state }) => [site, state]))).toEqual(
      new Map(submitted.map(({ site }, at) => [site, ['running', 'queued', 'cancelled'][at]])),
    )
    expect(await store.start(dead, 'ada/2')).toMatchObject({ isCancelRequested: true, phase: 'configure' })
  })

  test('queues the sites of a wave in a stable order, whatever the order of their rows', async () => {
    const store = createFleetStore(open(await server.freshDatabase()))
    const names = Array.from({ length: 300 }, (_, at) => `site-${String(at).padStart(3, '0')}`)
    const runs = names.toReversed().map(name => aRun(name, 1))
    await store.submit({ id: 'one', submittedBy: '', keepsGoing: false }, runs)
    await store.queueWave('one', 1)
    const queued = await store.queuedRuns()
    expect(queued.map(({ site }) => new URL(site).hostname.split('.')[0])).toEqual(names)
  })

  test('accepts a site again while its run is being cancelled', async () => {
    const store = createFleetStore(open(await server.freshDatabase()))
    const submit = (id: string) =>
      store.submit({ id, submittedBy: '', keepsGoing: false }, [aRun('berlin', 1)])
    const [key] = await submit('one')
    if (key === undefined) throw new Error('nothing was submitted')
    await store.queueWave('one', 1)
    await store.start(key, 'a')
    expect(await submit('two')).toMatchObject([{ is: 'same' }])
    await store.cancel([key])
    expect(await submit('three')).toMatchObject([{ is: 'behind', generation: 2 }])
  })
})

const aRun = (name: string, wave: number): NewRun => ({ ...anOrder(name), wave })
