import { once } from 'node:events'
import { type Database, openDatabase } from '../../../packages/fleet/src/database/database.js'
import { DatabaseError } from '../../../packages/fleet/src/database/database-error.js'
import { type FleetSession, openSession } from '../../../packages/fleet/src/database/session.js'
import { describeDatabase, postgres } from '../../support/postgres.js'

const site = 'https://gis.example.org/arcgis'
const held = { kind: 'held' }

interface Beginning {
  readonly over?: Database
  readonly leaseMs?: number
  readonly now?: () => number
}

describeDatabase('a session', postgres, server => {
  let connection: string
  let watcher: Database
  const opened: (Database | FleetSession)[] = []
  const database = () => {
    const one = openDatabase(connection)
    opened.unshift(one)
    return one
  }
  /** Starts a session. By default its lease does not expire during a test. */
  const begin = async (id: string, { over = database(), leaseMs = 600_000, now }: Beginning = {}) => {
    const row = { id, kind: 'run', holder: { host: id, pid: 1 }, leaseMs } as const
    const session = await openSession(over, row, now)
    if (session !== undefined) opened.unshift(session)
    return session
  }
  const begun = async (...[id, beginning]: Parameters<typeof begin>) => {
    const session = await begin(id, beginning)
    if (session === undefined) throw new Error(`${id} is taken`)
    return session
  }
  const backendOf = async (id: string) => {
    const [row] = await watcher.rows('select backend from landform.session where id = $1', [id])
    return row?.['backend'] as number
  }
  /** Makes the lease of a session expire. */
  const leaseIsOver = (id: string) =>
    watcher.rows('update landform.session set lease_ms = 0 where id = $1', [id])
  /** Returns a database that allows one connection of a session, and one more after each `restore`. */
  const cutOff = () => {
    const whole = database()
    let isCut = false
    const openConnection = async (patienceMs: number) => {
      if (isCut) throw new DatabaseError('no way', 'ECONNREFUSED')
      isCut = true
      return whole.openConnection(patienceMs)
    }
    return {
      over: { ...whole, openConnection },
      restore() {
        isCut = false
      },
    }
  }

  beforeAll(async () => {
    connection = await server.freshDatabase()
    watcher = openDatabase(connection)
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await watcher.rows('delete from landform.session')
    await watcher.rows('delete from landform.hold')
  })
  afterAll(() => watcher?.close())

  test('holds a site exclusively, until it is released', async () => {
    const [one, other] = [await begun('one'), await begun('other')]
    const [first, second] = await Promise.all([one.acquire(site, 'fleet'), one.acquire(site, 'apply')])
    const refused = {
      kind: 'locked',
      by: { nonce: 'one', purpose: 'fleet', holder: { host: 'one', pid: 1 } },
    }
    expect([first, second]).toMatchObject([held, refused])
    expect(await one.acquire(site, 'apply')).toMatchObject(refused)
    expect(await other.acquire(site, 'apply')).toMatchObject(refused)
    expect(await other.acquire(`${site}2`, 'apply')).toMatchObject(held)
    if (first?.kind === 'held') await first.release()
    expect(await other.acquire(site, 'apply')).toMatchObject(held)
    if (first?.kind === 'held') await first.release()
    expect(await one.acquire(site, 'apply')).toMatchObject({ by: { nonce: 'other' } })
  })

  test('is the only one of several concurrent sessions that gets a site', async () => {
    const sessions = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(id => begun(id)))
    const taken = await Promise.all(sessions.map(session => session.acquire(site, 'apply')))
    expect(taken.filter(({ kind }) => kind === 'held')).toHaveLength(1)
  })

  test('acquires many sites, and reports the owners of the others', async () => {
    const [ada, bob] = [await begun('ada'), await begun('bob')]
    await ada.acquire('site 7', 'apply')
    const sites = Array.from({ length: 100 }, (_, at) => `site ${at}`)
    const taken = await Promise.all([...sites, 'site 9'].map(site => bob.acquire(site, 'apply')))
    expect(taken.filter(({ kind }) => kind === 'held')).toHaveLength(99)
    expect(taken[7]).toMatchObject({ kind: 'locked', by: { nonce: 'ada', purpose: 'apply' } })
    const rows = await watcher.rows('select site from landform.hold where session = $1', ['bob'])
    expect(rows).toHaveLength(99)
    expect(taken.at(-1)).toMatchObject({ kind: 'locked', by: { nonce: 'bob' } })
    for (const [at, one] of taken.entries()) if (one.kind === 'held' && at !== 9) await one.release()
    const left = await watcher.rows('select site from landform.hold where session = $1', ['bob'])
    expect(left.map(({ site }) => site)).toEqual(['site 9'])
    expect(await ada.acquire('site 8', 'apply')).toMatchObject(held)
    expect(await ada.acquire('site 9', 'apply')).toMatchObject({ kind: 'locked', by: { nonce: 'bob' } })
  })

  test('is unique by its id', async () => {
    const first = await begun('one')
    expect(await begin('one')).toBeUndefined()
    await first.close()
    expect(await begin('one')).toBeDefined()
  })

  test('releases everything when it is closed', async () => {
    const [one, other] = [await begun('one'), await begun('other')]
    await one.acquire(site, 'apply')
    await one.close()
    expect(await other.acquire(site, 'apply')).toMatchObject(held)
    expect(await watcher.rows('select id from landform.session')).toEqual([{ id: 'other' }])
  })

  test('releases everything even if it is closed while disconnected', async () => {
    const { over } = cutOff()
    const one = await begun('one', { over })
    await one.acquire(site, 'apply')
    await watcher.rows('select pg_terminate_backend($1, 5000)', [await backendOf('one')])
    await one.close()
    expect(await watcher.rows('select id from landform.session')).toEqual([])
    expect(await watcher.rows('select site from landform.hold')).toEqual([])
  })

  test('that is opened again under its name is a new one', async () => {
    const former = await begun('one')
    await former.close()
    const one = await begun('one')
    expect(await living()).toEqual([one.executor])
    expect(one.executor).not.toBe(former.executor)
  })

  test('sends a heartbeat before work that needs one, if one is due', async () => {
    let nowMs = 1000
    const one = await begun('one', { leaseMs: 400_000, now: () => nowMs })
    const beats = async () => {
      await Promise.all([one.heartbeat(), one.heartbeat()])
      const [found] = await watcher.rows('select beat_at = started_at as none from landform.session')
      return found?.['none'] === false
    }
    await watcher.rows('update landform.session set beat_at = started_at')
    nowMs += 99_999
    expect(await beats()).toBe(false)
    nowMs += 1
    expect(await beats()).toBe(true)
    await watcher.rows('update landform.session set beat_at = started_at')
    expect(await beats()).toBe(false)
  })

  test('that loses its connection is dead at once, and learns so when it reconnects', async () => {
    const { over, restore } = cutOff()
    const [one, other] = [await begun('one', { over }), await begun('other')]
    await one.acquire(site, 'apply')
    await other.removeDead()
    expect(await living()).toEqual([one.executor, other.executor])
    await watcher.rows('select pg_terminate_backend($1, 5000)', [await backendOf('one')])
    expect(await other.acquire(site, 'apply')).toMatchObject(held)
    await other.removeDead()
    expect(await living()).toEqual([other.executor])
    expect(one.lost.aborted).toBe(false)
    restore()
    if (!one.lost.aborted) await once(one.lost, 'abort')
    await expect(one.acquire(site, 'apply')).rejects.toMatchObject({ code: 'LANDFORM_LOST' })
  })

  test('that was silent for a lease loses its connection and its sites to others, and learns so', async () => {
    const [one, other] = [await begun('one'), await begun('other')]
    await one.acquire(site, 'apply')
    await leaseIsOver('one')
    const lost = once(one.lost, 'abort')
    expect(await other.acquire(site, 'apply')).toMatchObject(held)
    await lost
  })

  test('that was silent continues if no other needed its sites', async () => {
    const one = await begun('one')
    await one.acquire(site, 'apply')
    await leaseIsOver('one')
    await watcher.rows('select pg_terminate_backend($1, 5000)', [await backendOf('one')])
    await isBack('one')
    expect(await one.acquire(`${site}2`, 'apply')).toMatchObject(held)
    expect(one.lost.aborted).toBe(false)
  })

  test('that was suspended for a lease is not fresh until the server has received a heartbeat', async () => {
    let nowMs = 1000
    const one = await begun('one', { leaseMs: 4000, now: () => nowMs })
    nowMs += 3999
    expect(one.isFresh()).toBe(true)
    nowMs += 1
    expect(one.isFresh()).toBe(false)
    while (!one.isFresh()) await watcher.rows('select 1')
    nowMs += 3999
    expect(one.isFresh()).toBe(true)
  })

  test('is fresh while the server is unavailable, since nobody can acquire anything then', async () => {
    let nowMs = 1000
    const { over } = cutOff()
    const one = await begun('one', { over, now: () => nowMs })
    nowMs += 500_000
    expect(one.isFresh()).toBe(true)
    nowMs += 500_000
    expect(one.isFresh()).toBe(false)
    await watcher.rows('select pg_terminate_backend($1, 5000)', [await backendOf('one')])
    while (!one.isFresh()) await watcher.rows('select 1')
    expect(one.lost.aborted).toBe(false)
  })

  test('is not fresh after a suspension without a connection, which others may have closed', async () => {
    let nowMs = 1000
    const { over, restore } = cutOff()
    const one = await begun('one', { over, now: () => nowMs })
    await watcher.rows('select pg_terminate_backend($1, 5000)', [await backendOf('one')])
    nowMs += 600_000
    for (let turn = 0; turn < 20; turn += 1) {
      expect(one.isFresh()).toBe(false)
      await watcher.rows('select 1')
    }
    restore()
    while (!one.isFresh()) await watcher.rows('select 1')
  })

  test.each<[string, () => Promise<void>]>([
    [
      'was killed and came back',
      async () => {
        await server.kill()
        await server.restart()
      },
    ],
    [
      'has crashed and recovered',
      async () => {
        const victim = await database().openConnection(5000)
        const [row] = await victim.rows('select pg_backend_pid() as pid')
        process.kill(row?.['pid'] as number, 'SIGKILL')
        await victim.closed
      },
    ],
  ])('of a server that %s comes back, and its sites stay reserved', async (_, harm) => {
    const { over, restore } = cutOff()
    const [one, late] = [await begun('one'), await begun('late', { over })]
    await one.acquire(site, 'apply')
    await late.acquire(`${site}2`, 'apply')
    await harm()
    const other = await begunAfter(() => begun('other'))
    for (const name of [site, `${site}2`])
      expect(await other.acquire(name, 'apply')).toMatchObject({ kind: 'locked' })
    await other.removeDead()
    expect(await living()).toEqual(expect.arrayContaining([one.executor, late.executor]))
    await isBack('one')
    expect(await other.acquire(site, 'apply')).toMatchObject({ kind: 'locked', by: { nonce: 'one' } })
    // A process that does not return within its lease counts as dead.
    await leaseIsOver('late')
    expect(await other.acquire(`${site}2`, 'apply')).toMatchObject(held)
    restore()
    if (!late.lost.aborted) await once(late.lost, 'abort')
    expect(one.lost.aborted).toBe(false)
  })

  /** Lists the processes that have a session. */
  const living = async () => {
    const sql = `select id || '/' || incarnation as executor from landform.session order by started_at`
    return (await watcher.rows(sql)).map(({ executor }) => executor)
  }

  /** Waits until a session holds the lock of its connection again. */
  async function isBack(id: string): Promise<void> {
    for (;;) {
      const [found] = await watcher.rows(
        `select count(*)::int as n from pg_locks join landform.session on pid = backend
         where locktype = 'advisory' and id = $1`,
        [id],
      )
      if (found?.['n'] === 1) return
    }
  }

  /** Retries while the server recovers. */
  async function begunAfter(beginning: () => Promise<FleetSession>): Promise<FleetSession> {
    for (;;)
      try {
        return await beginning()
      } catch (error) {
        if ((error as DatabaseError).name !== 'DatabaseError') throw error
      }
  }
})
