import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { GuardReply } from 'landform/state'
import { limitConcurrency } from '../model/limit-concurrency.js'
import type { DedicatedConnection } from './connection.js'
import type { Database } from './database.js'
import { DatabaseError, isUnreachable, type QueryRunner } from './database-error.js'
import {
  acquireSite,
  addSession,
  recordHeartbeat,
  rejoinSession,
  releaseSite,
  removeDeadSessions,
  removeSession,
  type SessionRow,
} from './session-rows.js'

/**
 * The lease of a process: one connection to the database, which holds the lock of its session and sends four heartbeats per
 * lease. Once the connection is closed, or silent for a lease, other processes consider this one dead.
 */
export type FleetSession = ReturnType<typeof createSession>

/** Opens a session; `undefined` if another process has its id, or may reconnect with it within a lease. */
export async function openSession(
  database: Database,
  options: Omit<SessionRow, 'incarnation'>,
  now = () => performance.now(),
): Promise<FleetSession | undefined> {
  const row = { ...options, incarnation: randomUUID() }
  const connection = await connect(database, row)
  const clock = trackLease(row.leaseMs, now)
  let isAdded = false
  try {
    isAdded = await addSession(connection, row)
    return isAdded ? createSession(connection, row, database, clock) : undefined
  } finally {
    if (!isAdded) connection.close()
  }
}

function connect(database: Database, { leaseMs }: SessionRow): Promise<DedicatedConnection> {
  return database.openConnection(Math.max(2000, leaseMs / 2))
}

/** Tracks for how long the process was silent, by its own clock. Starts just before the first heartbeat. */
function trackLease(leaseMs: number, now: () => number) {
  let heartbeatMs = now()
  let checkedMs = heartbeatMs
  let wasSuspended = false
  /** Detects suspension: called several times per lease, it notices if too much time has passed. */
  const check = () => {
    const time = now()
    wasSuspended ||= time - checkedMs >= leaseMs
    checkedMs = time
  }
  return {
    check,
    isDue: () => now() - heartbeatMs >= leaseMs / 4,
    async beat(send: () => Promise<boolean>): Promise<boolean> {
      // Read before sending, so other processes never see the lease expire earlier than this one.
      const before = now()
      const isAccepted = await send()
      if (isAccepted) {
        heartbeatMs = before
        checkedMs = before
        wasSuspended = false
      }
      return isAccepted
    },
    /**
     * True if no other process can have taken the sites of this one. Without a connection, the server may be unreachable,
     * and then no process takes any. But a process that was suspended may have lost its connection because it was declared
     * dead, so it is not fresh until its next accepted heartbeat.
     */
    isFresh(isConnected: boolean): boolean {
      check()
      return !wasSuspended && (!isConnected || now() - heartbeatMs < leaseMs)
    },
  }
}

function createSession(
  first: DedicatedConnection,
  row: SessionRow,
  database: Database,
  clock: ReturnType<typeof trackLease>,
) {
  const ended = new AbortController()
  const lost = new AbortController()
  const held = new Set<string>()
  const inTurn = limitConcurrency(1)
  let connection: DedicatedConnection | undefined
  const lose = () => {
    ended.abort()
    connection?.close()
    lost.abort()
  }
  const runner: QueryRunner = {
    async rows(sql, values) {
      if (connection === undefined) throw new DatabaseError('the connection is being restored', '08003')
      return connection.rows(sql, values)
    },
  }
  const use = (next: DedicatedConnection) => {
    connection = next
    void next.closed.then(() => {
      connection = undefined
      return restoreConnection()
    })
  }
  const restoreConnection = async () => {
    for (let waitMs = 50; !ended.signal.aborted; waitMs = Math.min(waitMs * 2, 1000)) {
      const next = await inTurn(reconnect)
      if (next === 'refused') return lose()
      if (next !== undefined) return use(next)
      await pause(waitMs, ended.signal)
    }
  }
  const reconnect = async (): Promise<DedicatedConnection | 'refused' | undefined> => {
    let made: DedicatedConnection | undefined
    try {
      const next = await connect(database, row)
      made = next
      if (await clock.beat(() => rejoinSession(next, row, [...held]))) return next
      next.close()
      return 'refused'
    } catch (error) {
      made?.close()
      if (isUnreachable(error)) return undefined
      if (error instanceof DatabaseError) return 'refused'
      throw error
    }
  }
  let beating: Promise<void> | undefined
  const sendHeartbeat = async () => {
    clock.check()
    const isAlive = await clock.beat(() => recordHeartbeat(runner, row)).catch(ignoreDatabaseError)
    beating = undefined
    if (isAlive === false && !ended.signal.aborted) lose()
  }
  const beat = async () => {
    if (ended.signal.aborted) return
    beating ??= sendHeartbeat()
    await beating
  }
  const sendHeartbeats = async () => {
    while (!ended.signal.aborted) {
      await pause(row.leaseMs / 4, ended.signal)
      await beat()
    }
  }
  const release = async (site: string) => {
    held.delete(site)
    // Without a connection there is nothing to release, and reconnecting removes the row.
    await releaseSite(runner, row.id, site).catch(ignoreDatabaseError)
  }
  const acquire = async (site: string, purpose: string): Promise<GuardReply> => {
    if (lost.signal.aborted) throw new DatabaseError('another process has taken over', 'LANDFORM_LOST')
    const by = await acquireSite(runner, row.id, { site, purpose })
    if (by !== 'held') return { kind: 'locked', by }
    held.add(site)
    let released: Promise<void> | undefined
    return { kind: 'held', release: () => (released ??= inTurn(() => release(site))) }
  }
  use(first)
  void sendHeartbeats()
  return {
    /** The name of this process as the holder of runs; a later process with the same id has another one. */
    executor: `${row.id}/${row.incarnation}`,
    /** Aborted when other processes declared this one dead: it must not touch any site. */
    lost: lost.signal as AbortSignal,
    /**
     * False if the process was silent for a lease and cannot know whether others have taken its sites, because it was
     * suspended or too busy. While the server is unreachable no process takes sites, and the value does not change.
     */
    isFresh: () => !lost.signal.aborted && clock.isFresh(connection !== undefined),
    /** Sends a heartbeat if one is due. Called before work that takes long. */
    async heartbeat() {
      if (clock.isDue()) await beat()
    },
    /** Acquires a site, or returns its holder, which may be this process. */
    acquire: (site: string, purpose: string) => inTurn(() => acquire(site, purpose)),
    /** Removes the sessions of dead processes. */
    removeDead: () => removeDeadSessions(runner),
    close: () =>
      inTurn(async () => {
        ended.abort()
        // Otherwise the row would survive for a lease if the server has just restarted, before this session reconnects.
        const elsewhere = (error: unknown) => {
          ignoreDatabaseError(error)
          return removeSession(database, row)
        }
        await removeSession(runner, row).catch(elsewhere).catch(ignoreDatabaseError)
        connection?.close()
      }),
  }
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await delay(waitMs, undefined, { ref: false, signal }).catch(() => undefined)
}

function ignoreDatabaseError(error: unknown): void {
  if (!(error instanceof DatabaseError)) throw error
}
