import type { Holder } from '../../../../src/plan/submission.js'
import { type Asking, DatabaseError } from './database-error.js'

/** Who has a site. */
export interface SiteHolder {
  readonly session: string
  readonly holder: Holder
  /** What it does with it, such as `apply`. */
  readonly purpose: string
  /** By the clock of the database. */
  readonly since: string
}

/** The number of the advisory lock with a name. */
const lockOf = (name: string) => `hashtextextended('landform ' || ${name}, 0)`
const sessionLock = lockOf(`'session ' || s.id`)

/** The process of the server that has the lock of a session, where it is the one of the session. */
const backendOf = `(select l.pid from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
  and l.database = (select oid from pg_database where datname = current_database())
  and (l.classid::bigint << 32) | l.objid::bigint = ${sessionLock} and l.pid = s.backend)`

/** When all sessions lost their connections last: the server was started, has crashed, or took the place of another. */
const epoch = `greatest(pg_postmaster_start_time(), (select since from landform.epoch))`
const lease = `s.lease_ms * interval '1 millisecond'`

/**
 * A session lives while the server has its connection and it is heard of. Of one that was not heard of since the epoch
 * nobody knows until a lease is over: it may be about to come back.
 */
const isDead = `(s.beat_at + ${lease} < clock_timestamp() or ${backendOf} is null)
  and (s.beat_at > ${epoch} or clock_timestamp() > ${epoch} + ${lease})`

/**
 * Ends what is left of those sessions that are dead, or of all that are; returns their ids. Deleting its row is what
 * decides: a process that was stopped and goes on finds it gone, and its connection, too.
 */
export async function bury(asking: Asking, ids?: readonly string[]): Promise<readonly string[]> {
  const dead = await asking.rows(
    `delete from landform.session s where ($1::text[] is null or s.id = any($1)) and ${isDead}
     returning s.id, ${backendOf} as backend`,
    [ids ?? null],
  )
  for (const { backend } of dead) if (backend !== null) await endBackend(asking, backend as number)
  return dead.map(({ id }) => id as string)
}

/** Waits until it is gone, for with it go its locks. */
async function endBackend(asking: Asking, backend: number): Promise<void> {
  await asking.rows('select pg_terminate_backend($1, 2000)', [backend])
}

/** Who has a site; `undefined` where nobody has, or one that is dead. Writes nothing. */
export async function holderOf(asking: Asking, site: string): Promise<SiteHolder | undefined> {
  const [row] = await asking.rows(
    `select s.id as session, s.holder, h.purpose, h.since from landform.hold h
     join landform.session s on s.id = h.session where h.site = $1 and not (${isDead})`,
    [site],
  )
  if (row === undefined) return undefined
  return { ...(row as unknown as SiteHolder), since: (row['since'] as Date).toISOString() }
}

/** A session as it is written. */
export interface SessionRow {
  readonly id: string
  /** Tells two processes with one id apart. */
  readonly incarnation: string
  readonly kind: 'worker' | 'run'
  readonly holder: Holder
  readonly leaseMs: number
  /** What others are to know of it. Holds no secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Adds a session for this connection; false where a session with its id lives, or may. */
export async function addSession(asking: Asking, row: SessionRow): Promise<boolean> {
  const { id, incarnation, kind, holder, leaseMs, details = {} } = row
  await asking.rows('insert into landform.epoch default values on conflict do nothing')
  await bury(asking)
  if (!(await tryLock(asking, `session ${id}`))) return false
  const added = await asking.rows(
    `insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details)
     values ($1, $2, $3, $4, pg_backend_pid(), $5, $6) on conflict do nothing returning id`,
    [id, incarnation, kind, JSON.stringify(holder), leaseMs, JSON.stringify(details)],
  )
  if (added.length === 0) return false
  // What the dead had, and a process before this one of the same id.
  await asking.rows(
    `delete from landform.hold where session = $1 or session not in (select id from landform.session)`,
    [id],
  )
  return true
}

/** Ends a session and lets all its sites go. */
export async function removeSession(asking: Asking, { id, incarnation }: SessionRow): Promise<void> {
  await asking.rows('delete from landform.session where id = $1 and incarnation = $2', [id, incarnation])
  await asking.rows('delete from landform.hold where session not in (select id from landform.session)')
  await asking.rows('select pg_advisory_unlock_all()')
}

/** Says that a session lives; false where others found it dead. */
export async function beat(asking: Asking, { id, incarnation }: SessionRow): Promise<boolean> {
  const found = await asking.rows(
    `update landform.session set beat_at = clock_timestamp() where id = $1 and incarnation = $2 returning id`,
    [id, incarnation],
  )
  return found.length > 0
}

/**
 * Goes on with a session and its sites over a new connection; false where others have taken any of it. Throws, as for a server
 * that is away, where it is only too early.
 */
export async function rejoin(
  asking: Asking,
  { id, incarnation }: SessionRow,
  sites: readonly string[],
): Promise<boolean> {
  await asking.rows('insert into landform.epoch default values on conflict do nothing')
  // The server may not know yet that the connection before this one is gone.
  const [left] = await asking.rows(
    `select ${backendOf} as backend from landform.session s where s.id = $1 and s.incarnation = $2`,
    [id, incarnation],
  )
  if (left === undefined) return false
  if (left['backend'] !== null) await endBackend(asking, left['backend'] as number)
  // The row is still ours, so nobody else has come in its place: an attempt of ours that was given up too soon has the lock
  // until the server notices, or a process of the same name that is about to be refused.
  if (!(await tryLock(asking, `session ${id}`)))
    throw new DatabaseError('an earlier connection still has the session', '08006')
  const back = await asking.rows(
    `update landform.session set beat_at = clock_timestamp(), backend = pg_backend_pid()
     where id = $1 and incarnation = $2 returning id`,
    [id, incarnation],
  )
  if (back.length === 0) return false
  for (const site of sites) if (!(await tryLock(asking, `site ${site}`))) return false
  await asking.rows('delete from landform.hold where session = $1 and site <> all($2::text[])', [id, sites])
  const [held] = await asking.rows('select count(*)::int as n from landform.hold where session = $1', [id])
  return held?.['n'] === sites.length
}

/** Takes a site for a session, or says who has it. */
export async function seize(
  asking: Asking,
  { session, site, purpose }: { readonly session: string; readonly site: string; readonly purpose: string },
): Promise<'held' | SiteHolder | undefined> {
  const isFree = await tryLock(asking, `site ${site}`)
  if (isFree) {
    const noted = await asking.rows(
      `insert into landform.hold (site, session, purpose) values ($1, $2, $3)
       on conflict (site) do update set session = $2, purpose = $3, since = clock_timestamp()
       where hold.session = $2 or hold.session not in (select id from landform.session) returning site`,
      [site, session, purpose],
    )
    if (noted.length > 0) return 'held'
    await unlock(asking, `site ${site}`)
  }
  const [found] = await asking.rows('select session from landform.hold where site = $1', [site])
  if (found !== undefined) await bury(asking, [found['session'] as string])
  return holderOf(asking, site)
}

/** Lets a site go. */
export async function letGo(asking: Asking, session: string, site: string): Promise<void> {
  await asking.rows('delete from landform.hold where site = $1 and session = $2', [site, session])
  await unlock(asking, `site ${site}`)
}

async function tryLock(asking: Asking, name: string): Promise<boolean> {
  const [row] = await asking.rows(`select pg_try_advisory_lock(${lockOf('$1')}) as got`, [name])
  return row?.['got'] === true
}

async function unlock(asking: Asking, name: string): Promise<void> {
  await asking.rows(`select pg_advisory_unlock(${lockOf('$1')})`, [name])
}
