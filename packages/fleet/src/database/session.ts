import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.js'
import { DatabaseError, isUnreachable, type QueryRunner } from './database-error.js'
import type { DedicatedConnection } from './dedicated-connection.js'
import { trackFreshness } from './freshness.js'
import {
  acquireFreeSites,
  acquireSite,
  addSession,
  recordHeartbeat,
  rejoinSession,
  releaseSite,
  removeDeadSessions,
  removeSession,
  type SessionRow,
  type SiteHolder,
  type SiteWish,
} from './session-rows.js'

export type FleetSessionOptions = Omit<SessionRow, 'incarnation'>

/**
 * The lease of a process: one connection to the database, which holds the locks of its sites and sends four heartbeats per
 * lease. A process whose connection is closed, or that is silent for a lease, is dead to the others.
 */
export interface FleetSession {
  readonly id: string
  /** Aborted when other processes declared this one dead or took a site of it: it must not touch any site. */
  readonly lost: AbortSignal
  /**
   * False if the process was silent for a lease and cannot know whether others have taken its sites, because it was
   * suspended or too busy. While the server is unreachable no process takes sites, and the value does not change.
   */
  isFresh(): boolean
  /** Acquires a site, or returns its holder. A process may acquire a site several times; it is free after as many releases. */
  acquire(site: string, purpose: string): Promise<SiteAcquisition>
  /** Returns the dead sessions among these, after removing their rows. */
  removeDead(ids: readonly string[]): Promise<readonly string[]>
  /** Releases everything. */
  close(): Promise<void>
}

export type SiteAcquisition =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'locked'; readonly by: SiteHolder }

/** A wish without an answer. */
interface OpenWish extends SiteWish {
  resolve(acquired: SiteAcquisition): void
  reject(error: unknown): void
}

/** Attempts for a site that others release at the same moment. */
const maxTries = 10

const monotonicMs = () => performance.now()

/** Opens a session; `undefined` if another process has its id, or may reconnect with it within a lease. */
export async function openSession(
  database: Database,
  options: FleetSessionOptions,
  now = monotonicMs,
): Promise<FleetSession | undefined> {
  const row = { ...options, incarnation: randomUUID() }
  const connect = () => database.openConnection(Math.max(2000, row.leaseMs / 2))
  const connection = await connect()
  const startedMs = now()
  if (await addSession(connection, row))
    return createSession(connection, { row, database, connect, now, startedMs })
  connection.close()
  return undefined
}

interface OpenedSession {
  readonly row: SessionRow
  readonly database: Database
  connect(): Promise<DedicatedConnection>
  now(): number
  /** Time just before its first heartbeat. */
  readonly startedMs: number
}

function createSession(
  first: DedicatedConnection,
  { row, database, connect, now, startedMs }: OpenedSession,
): FleetSession {
  const ended = new AbortController()
  const lost = new AbortController()
  const held = new Map<string, number>()
  const inTurn = createTurns()
  let connection: DedicatedConnection | undefined
  const { heartbeat, checkClock, isFresh } = trackFreshness({ leaseMs: row.leaseMs, now, startedMs })
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
      const next = await inTurn(() =>
        reconnect(connect, candidate => heartbeat(() => rejoinSession(candidate, row, [...held.keys()]))),
      )
      if (next === 'refused') return lose()
      if (next !== undefined) return use(next)
      await pause(waitMs, ended.signal)
    }
  }
  const release = async (site: string) => {
    const times = held.get(site) ?? 0
    if (times > 1) return void held.set(site, times - 1)
    held.delete(site)
    // Without a connection there is nothing to release, and reconnecting removes the row.
    await releaseSite(runner, row.id, site).catch(ignoreDatabaseError)
  }
  const wishes: OpenWish[] = []
  const acquireOne = async (wish: SiteWish, isFree: boolean): Promise<SiteAcquisition> => {
    const { site } = wish
    const times = held.get(site) ?? 0
    const by = isFree || times > 0 ? undefined : await acquireWithRetries(runner, row.id, wish)
    if (by !== undefined) return { kind: 'locked', by }
    held.set(site, times + 1)
    return { kind: 'held', release: once(() => inTurn(() => release(site))) }
  }
  /** Most sites are free, and are acquired together; only of the others it is asked who holds them. */
  const grant = async (some: readonly OpenWish[]) => {
    try {
      if (lost.signal.aborted) throw new DatabaseError('another process has taken over', 'LANDFORM_LOST')
      const fresh = new Map(some.flatMap(one => (held.has(one.site) ? [] : [[one.site, one]])))
      const free = await acquireFreeSites(runner, row.id, [...fresh.values()])
      for (const wish of some) await acquireOne(wish, free.has(wish.site)).then(wish.resolve, wish.reject)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
  use(first)
  void sendHeartbeats(ended.signal, {
    everyMs: row.leaseMs / 4,
    heartbeat() {
      checkClock()
      return heartbeat(() => recordHeartbeat(runner, row))
    },
    lose,
  })
  return {
    id: row.id,
    lost: lost.signal,
    isFresh: () => !lost.signal.aborted && isFresh(connection !== undefined),
    acquire: (site, purpose) =>
      new Promise((resolve, reject) => {
        wishes.push({ site, purpose, resolve, reject })
        // Those that come before this one's turn are granted with it.
        if (wishes.length === 1) void inTurn(() => grant(wishes.splice(0)))
      }),
    async removeDead(ids) {
      await removeDeadSessions(runner, ids)
      const living = await runner.rows('select id from landform.session where id = any($1)', [ids])
      return ids.filter(id => !living.some(found => found['id'] === id))
    },
    close: () =>
      inTurn(async () => {
        ended.abort()
        // Its row would survive for a lease if the server has just restarted and the connection has not been made again.
        const elsewhere = (error: unknown) => {
          ignoreDatabaseError(error)
          return removeSession(database, row)
        }
        await removeSession(runner, row).catch(elsewhere).catch(ignoreDatabaseError)
        connection?.close()
      }),
  }
}

/** Reconnects; `undefined` if the server is unreachable. */
async function reconnect(
  connect: () => Promise<DedicatedConnection>,
  isBack: (connection: DedicatedConnection) => Promise<boolean>,
): Promise<DedicatedConnection | 'refused' | undefined> {
  let connection: DedicatedConnection | undefined
  try {
    connection = await connect()
    if (await isBack(connection)) return connection
    connection.close()
    return 'refused'
  } catch (error) {
    connection?.close()
    if (isUnreachable(error)) return undefined
    if (error instanceof DatabaseError) return 'refused'
    throw error
  }
}

interface HeartbeatOptions {
  readonly everyMs: number
  /** Returns false if other processes declared this one dead. */
  heartbeat(): Promise<boolean>
  lose(): void
}

async function sendHeartbeats(
  signal: AbortSignal,
  { everyMs, heartbeat, lose }: HeartbeatOptions,
): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, signal)
    try {
      if (!signal.aborted && !(await heartbeat())) lose()
    } catch (error) {
      ignoreDatabaseError(error)
    }
  }
}

async function acquireWithRetries(
  runner: QueryRunner,
  session: string,
  wish: SiteWish,
): Promise<SiteHolder | undefined> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const found = await acquireSite(runner, session, wish)
    if (found === 'held') return undefined
    if (found !== undefined) return found
  }
  throw new DatabaseError('others keep taking the site', 'LANDFORM_RACE')
}

/** Runs tasks one after the other. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

/** Waits without keeping the process alive. */
async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await delay(waitMs, undefined, { ref: false, signal }).catch(() => undefined)
}

/** Ignores a database error: the next query does the work, or other processes notice. */
function ignoreDatabaseError(error: unknown): void {
  if (!(error instanceof DatabaseError)) throw error
}
