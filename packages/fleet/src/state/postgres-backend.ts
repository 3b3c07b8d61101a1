import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Series, StateBackend, Version } from 'landform'
import { type Guard, type StateFailure, type StateReply, thisProcess } from 'landform/state'
import { type Database, openDatabase } from '../database/database.js'
import { DatabaseError, describeDatabaseError, isUnreachable } from '../database/database-error.js'
import { type FleetSession, openSession } from '../database/session.js'
import { readHolder } from '../database/session-rows.js'

/** The session that holds the sites of a process. */
interface SessionLease {
  session(): Promise<FleetSession>
  /** Called when no run of the process holds a site. */
  rest?(): Promise<void>
}

/** State in PostgreSQL. */
const leaseMs = 30_000

const backends = new Map<string, StateBackend>()

/** Opens the state backend of a database, once per process. Its session, which holds the sites, starts with the first site. */
export function postgresBackend(connection: string): StateBackend {
  const known = backends.get(connection)
  if (known !== undefined) return known
  const database = openDatabase(connection, { maxConnections: 3 })
  let session: Promise<FleetSession> | undefined
  const begin = async () => {
    const row = { id: randomUUID(), kind: 'run', holder: await thisProcess(), leaseMs } as const
    const begun = await openSession(database, row)
    if (begun === undefined) throw new Error('another session has the same random id')
    return begun
  }
  const backend = createStateBackend(database, {
    session() {
      session ??= begin()
      return session
    },
    async rest() {
      // A failed start was reported to its caller.
      const former = session?.catch(() => undefined)
      session = undefined
      await (await former)?.close()
    },
  })
  backends.set(connection, backend)
  return backend
}

/** Creates the backend over an open database, with the session of the process. */
export function createStateBackend(database: Database, lease: SessionLease): StateBackend {
  const { where } = database
  const runQuery = retryWhileUnreachable(where)
  const readLast = (site: string, count?: number) =>
    runQuery('unreadable', async () => {
      const query = 'select serial, body from landform.state where site = $1 order by serial desc limit $2'
      const rows = await database.rows<{ serial: number; body: Buffer }>(query, [site, count])
      return rows.map(({ serial, body }): Version => ({ serial, text: body.toString('utf8') })).reverse()
    })
  const openSeries = (site: string): Series => ({
    where: `${where} ${site}`,
    async newest() {
      const found = await readLast(site, 1)
      return found.ok ? { ok: true, value: found.value[0] } : found
    },
    async add(version) {
      // If a response is lost, the insert is repeated, and recognizes its own version by this id.
      const by = randomUUID()
      const added = await runQuery('unwritable', () => insertVersion(database, { ...version, site, by }))
      if (!added.ok) return added
      if (added.value !== undefined) return { ok: true, value: added.value === by }
      const reason = { kind: 'missing-version', serial: version.serial - 1 } as const
      return { ok: false, error: { kind: 'damaged', where, reason } }
    },
    all: (_, last) => readLast(site, last),
  })
  return { kind: 'postgres', where, guard: createGuard(database, lease, runQuery), series: openSeries }
}

/**
 * Inserts a version and returns the id of its author, or nothing if the previous version is missing. The primary key is the
 * compare-and-swap. A second statement reads the author, because the first does not see a version that it has waited for.
 */
async function insertVersion(
  { rows }: Database,
  { site, serial, text, by }: Version & { readonly site: string; readonly by: string },
): Promise<unknown> {
  const added = await rows(
    `insert into landform.state (site, serial, body, made_by) select $1, $2::int, $3, $4
     where $2 = 1 or exists (select from landform.state where site = $1 and serial = $2 - 1)
     on conflict do nothing returning serial`,
    [site, serial, Buffer.from(text), by],
  )
  if (added.length > 0) return by
  const author = 'select made_by from landform.state where site = $1 and serial = $2'
  return (await rows(author, [site, serial]))[0]?.['made_by']
}

/** Guards sites with the session of the process. */
function createGuard(database: Database, lease: SessionLease, runQuery: RunStateQuery): Guard {
  let running = 0
  const leave = async () => {
    running -= 1
    if (running === 0) await lease.rest?.()
  }
  return {
    take: (site, purpose) =>
      runQuery('unwritable', async () => {
        running += 1
        let isHeld = false
        try {
          const taken = await (await lease.session()).acquire(site, purpose)
          isHeld = taken.kind === 'held'
          if (taken.kind === 'locked') return taken
          return { kind: 'held', release: () => taken.release().then(leave) }
        } finally {
          if (!isHeld) await leave()
        }
      }),
    holder: site => runQuery('unreadable', () => readHolder(database, site)),
  }
}

/** Runs a repeatable database operation, and returns failures as state failures with a reason. */
type RunStateQuery = <T>(kind: 'unreadable' | 'unwritable', work: () => Promise<T>) => Promise<StateReply<T>>

/** A query for state in PostgreSQL. A server that restarts or fails over is back after some seconds. */
const pausesMs = [100, 200, 400, 800, 1500, 3000, 4000, 5000]

const kinds: Readonly<Record<string, StateFailure['kind']>> = {
  LANDFORM_NEWER: 'newer',
  LANDFORM_LOST: 'overtaken',
  '23503': 'overtaken',
  LANDFORM_RACE: 'overtaken',
  '42P01': 'foreign',
  '42P07': 'foreign',
  '42703': 'foreign',
}

/** Retries while the database is unreachable, for 15 seconds. */
function retryWhileUnreachable(where: string): RunStateQuery {
  return async (kind, work) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return { ok: true, value: await work() }
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        const waitMs = isUnreachable(error) ? pausesMs[tries] : undefined
        const reason = { kind: 'reported', text: describeDatabaseError(error) } as const
        if (waitMs === undefined)
          return { ok: false, error: { kind: kinds[error.code] ?? kind, where, reason } }
        await delay(waitMs)
      }
    }
  }
}
