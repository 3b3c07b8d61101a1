import type { GuardHolder, Holder } from 'landform/state'
import { DatabaseError, type QueryRunner } from './database-error.js'

/** The key of the advisory lock of a session, which ends with its connection. */
const formatLockKey = (id: string) => `hashtextextended('landform session ' || ${id}, 0)`

/** The server process that holds the lock of a session, if it is the one recorded for the session. */
const backendPid = `(select l.pid from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
  and l.database = (select oid from pg_database where datname = current_database())
  and (l.classid::bigint << 32) | l.objid::bigint = ${formatLockKey('s.id')} and l.pid = s.backend)`

/** The last time that all sessions lost their connections: the server started, crashed, or failed over. */
const epoch = `greatest(pg_postmaster_start_time(), (select since from landform.epoch))`
const lease = `s.lease_ms * interval '1 millisecond'`

/**
 * A session is alive while its connection is open and its heartbeats arrive. A session without a heartbeat since the epoch
 * may be about to reconnect, so it counts as alive for the length of a lease.
 */
const isDead = `(s.beat_at + ${lease} < clock_timestamp() or ${backendPid} is null)
  and (s.beat_at > ${epoch} or clock_timestamp() > ${epoch} + ${lease})`

/**
 * Removes dead sessions with the sites that they hold. Deleting the row decides: a suspended process that resumes finds its
 * row and its connection gone.
 */
export async function removeDeadSessions(runner: QueryRunner): Promise<void> {
  const dead = await runner.rows<{ backend: number | null }>(
    `delete from landform.session s where ${isDead} returning ${backendPid} as backend`,
  )
  for (const { backend } of dead) if (backend !== null) await endBackend(runner, backend)
}

/** Ends a server process and waits for it, because its locks are released with it. */
async function endBackend(runner: QueryRunner, backend: number): Promise<void> {
  await runner.rows('select pg_terminate_backend($1, 2000)', [backend])
}

/** Reads the living holder of a site. Writes nothing. */
export async function readHolder(runner: QueryRunner, site: string): Promise<GuardHolder | undefined> {
  const [row] = await runner.rows(
    `select s.id as nonce, s.holder, h.purpose, h.since from landform.hold h
     join landform.session s on s.id = h.session where h.site = $1 and not (${isDead})`,
    [site],
  )
  if (row === undefined) return undefined
  return { ...(row as unknown as GuardHolder), since: (row['since'] as Date).toISOString() }
}

export interface SessionRow {
  readonly id: string
  /** Distinguishes two processes with the same id. */
  readonly incarnation: string
  readonly kind: 'worker' | 'run'
  readonly holder: Holder
  readonly leaseMs: number
  /** Details for other processes. Holds no secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Adds a session for this connection; returns false if a session with its id is alive, or may be. */
export async function addSession(runner: QueryRunner, row: SessionRow): Promise<boolean> {
  const { id, incarnation, kind, holder, leaseMs, details = {} } = row
  await runner.rows('insert into landform.epoch default values on conflict do nothing')
  await removeDeadSessions(runner)
  if (!(await tryLock(runner, id))) return false
  const added = await runner.rows(
    `insert into landform.session (id, incarnation, kind, holder, backend, lease_ms, details)
     values ($1, $2, $3, $4, pg_backend_pid(), $5, $6) on conflict do nothing returning id`,
    [id, incarnation, kind, JSON.stringify(holder), leaseMs, JSON.stringify(details)],
  )
  return added.length > 0
}

/** Removes a session and releases all its sites. */
export async function removeSession(runner: QueryRunner, { id, incarnation }: SessionRow): Promise<void> {
  await runner.rows('delete from landform.session where id = $1 and incarnation = $2', [id, incarnation])
  await runner.rows('select pg_advisory_unlock_all()')
}

/** Records a heartbeat; returns false if other processes declared the session dead. */
export async function recordHeartbeat(
  runner: QueryRunner,
  { id, incarnation }: Pick<SessionRow, 'id' | 'incarnation'>,
): Promise<boolean> {
  const found = await runner.rows(
    `update landform.session set beat_at = clock_timestamp() where id = $1 and incarnation = $2 returning id`,
    [id, incarnation],
  )
  return found.length > 0
}

/**
 * Continues a session and its sites over a new connection; returns false if another process has removed it. While that is
 * not certain yet, throws as if the server were unreachable.
 */
export async function rejoinSession(
  runner: QueryRunner,
  { id, incarnation }: SessionRow,
  sites: readonly string[],
): Promise<boolean> {
  await runner.rows('insert into landform.epoch default values on conflict do nothing')
  // The server may still believe that the previous connection is open.
  const [left] = await runner.rows(
    `select ${backendPid} as backend from landform.session s where s.id = $1 and s.incarnation = $2`,
    [id, incarnation],
  )
  if (left === undefined) return false
  if (left['backend'] !== null) await endBackend(runner, left['backend'] as number)
  // The row is still ours, so the lock is held by an attempt of this process that timed out, until the server notices, or
  // by a process of the same name that is about to be rejected.
  if (!(await tryLock(runner, id)))
    throw new DatabaseError('an earlier connection still has the session', '08006')
  await runner.rows('update landform.session set backend = pg_backend_pid() where id = $1', [id])
  // Releases the sites that could not be released without a connection.
  await runner.rows('delete from landform.hold where session = $1 and site <> all($2::text[])', [id, sites])
  // Comes last: a session with a heartbeat since the epoch is dead once its connection ends, and this one may still fail
  // before.
  return recordHeartbeat(runner, { id, incarnation })
}

/** The acquisition of a site in PostgreSQL that other runs acquire and release meanwhile. */
const maxTries = 10

/** Acquires a site for a session and an operation, such as `apply`; or returns its holder. */
export async function acquireSite(
  runner: QueryRunner,
  session: string,
  { site, purpose }: { readonly site: string; readonly purpose: string },
): Promise<'held' | GuardHolder> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const held = await runner.rows(
      `insert into landform.hold (site, session, purpose) values ($1, $2, $3) on conflict do nothing returning site`,
      [site, session, purpose],
    )
    if (held.length > 0) return 'held'
    await removeDeadSessions(runner)
    const holder = await readHolder(runner, site)
    if (holder !== undefined) return holder
  }
  throw new DatabaseError('others keep taking the site', 'LANDFORM_RACE')
}

export async function releaseSite(runner: QueryRunner, session: string, site: string): Promise<void> {
  await runner.rows('delete from landform.hold where site = $1 and session = $2', [site, session])
}

async function tryLock(runner: QueryRunner, id: string): Promise<boolean> {
  const [row] = await runner.rows(`select pg_try_advisory_lock(${formatLockKey('$1')}) as got`, [id])
  return row?.['got'] === true
}
