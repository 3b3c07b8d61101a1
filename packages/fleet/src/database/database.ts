import pg from 'pg'
import {
  adaptConnectionString,
  type DedicatedConnection,
  limitWhileRefused,
  openDedicatedConnection,
  rejectPooler,
  SignedInClient,
  type SignedInOptions,
  toRunner,
} from './connection.js'
import { DatabaseError, type QueryRunner, toDatabaseError } from './database-error.js'

/** A database with our tables. */
export interface Database extends QueryRunner {
  /** The address for messages: `postgres://host:port/name`, without user and password. */
  readonly where: string
  /** Runs work in a transaction. */
  transaction<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool, with a timeout for each query in milliseconds. */
  openConnection(queryDeadlineMs: number): Promise<DedicatedConnection>
  /** For the engine, which has its own tables in the same database. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly maxConnections?: number
  /** Maximum silence of the server while a query runs. */
  readonly queryDeadlineMs?: number
}

/** A query of any other process. A large submission blocks the queries of others for less time. */
const defaultDeadlineMs = 60_000
/** A connection to PostgreSQL. */
const connectDeadlineMs = 15_000

/** Opens a database by its connection string. Connects at the first query, and does not keep the process alive. */
export function openDatabase(
  connection: string,
  { maxConnections = 5, queryDeadlineMs = defaultDeadlineMs }: DatabaseOptions = {},
): Database {
  const { connectionString, isUnverified } = adaptConnectionString(connection)
  const { host, pathname } = new URL(connection)
  const options: SignedInOptions = { connectionString, application_name: 'landform', queryDeadlineMs }
  const poolOptions: SignedInOptions & pg.PoolConfig = {
    ...options,
    Client: SignedInClient,
    max: maxConnections,
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(connectDeadlineMs, queryDeadlineMs),
    // A suspended process, or one whose machine is gone, may have an open transaction whose locks block others.
    idle_in_transaction_session_timeout: 10_000,
    onConnect: rejectPooler,
  }
  const pool = new pg.Pool(poolOptions)
  // A broken connection needs no handling: the next query opens another.
  pool.on('error', () => undefined)
  let created: Promise<void> | undefined
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      if (isUnverified)
        throw new DatabaseError('the certificate would not be verified', 'LANDFORM_UNVERIFIED')
      created ??= createTables(pool).catch(error => {
        created = undefined
        throw error
      })
      await created
      return await work()
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
  const limit = limitWhileRefused(() => performance.now())
  // A connection that still works is used at once.
  const limited: typeof within = work => (pool.idleCount > 0 ? within(work) : limit(() => within(work)))
  return {
    where: `postgres://${host}${pathname}`,
    pool,
    rows: (sql, values) => limited(() => toRunner(pool).rows(sql, values)),
    transaction: work => limited(() => inTransaction(pool, client => work(toRunner(client)))),
    openConnection: timeoutMs => within(() => openDedicatedConnection(options, timeoutMs)),
    close: () => pool.end(),
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // The connection is in an unknown state and must not be reused.
    client.release(true)
    throw error
  }
}

/** The format of the tables, as in the only row of `landform.format`. */
const tablesFormat = 1
const now = 'timestamptz not null default clock_timestamp()'

/** Creates the tables unless they exist. If they do, it writes nothing, so a role that may not create tables can use them. */
async function createTables(pool: pg.Pool): Promise<void> {
  if (await hasTables(pool)) return
  await inTransaction(pool, async client => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.tables])
    if (!(await hasTables(client))) await client.query(tables)
  })
}

/** Tests whether the tables exist. Rejects tables of another format, which only a newer Landform creates. */
async function hasTables(asked: pg.Pool | pg.PoolClient): Promise<boolean> {
  // `to_regclass` could answer from a cache that is older than the lock.
  const exists = `select from pg_tables where schemaname = 'landform' and tablename = 'format'`
  if ((await asked.query(exists)).rows.length === 0) return false
  const { rows } = await asked.query('select max(version) as version from landform.format')
  if ((rows[0] as { version: number }).version === tablesFormat) return true
  throw new DatabaseError('its tables are of a newer Landform', 'LANDFORM_NEWER')
}

/**
 * A state document is stored as bytes, because text in PostgreSQL cannot hold NUL. `epoch` is unlogged, so the server
 * empties it after a crash or failover, when every session has lost its connection and may reconnect.
 */
const tables = `
create schema if not exists landform;
create table landform.format (version integer primary key);
insert into landform.format values (${tablesFormat});
create table landform.state (
  site text not null, serial integer not null check (serial > 0), body bytea not null, made_by text not null,
  written_at ${now}, primary key (site, serial)
);
create index state_by_time on landform.state (written_at);
create table landform.session (
  id text primary key, incarnation text not null, kind text not null, holder jsonb not null, backend integer not null,
  started_at ${now}, beat_at ${now}, lease_ms integer not null, details jsonb not null default '{}'
);
create unlogged table landform.epoch (is_only boolean primary key default true check (is_only), since ${now});
create table landform.hold (
  site text primary key, session text not null references landform.session on delete cascade, purpose text not null,
  since ${now}
);
create index hold_of_session on landform.hold (session);
create table landform.rollout (
  id text primary key, submitted_by text not null, submitted_at ${now}, wave integer not null default 1,
  waves integer not null, keeps_going boolean not null, state text not null default 'running'
);
create table landform.run (
  site text not null, generation integer not null, rollout text not null references landform.rollout,
  wave integer not null, name text not null, manifest text not null, digest text not null, commit text,
  priority integer not null, timeout_ms bigint not null,
  state text not null, phase text, message text, exit_code integer,
  stages jsonb not null default '[]', warnings jsonb not null default '[]', retries integer not null default 0,
  worker text, cancel_requested_at timestamptz, submitted_at timestamptz not null default now(), started_at timestamptz, ended_at timestamptz,
  changed_at ${now}, primary key (site, generation)
) with (fillfactor = 70);
create index run_of_rollout on landform.run (rollout, wave);
create unique index run_under_way on landform.run (site) where state in ('queued', 'running');
create index run_to_cancel on landform.run (site) where state = 'running' and cancel_requested_at is not null;
create table landform.event (
  number bigint generated always as identity primary key, site text not null, generation integer not null,
  at ${now}, type text not null, message text not null
);
create index event_of_run on landform.event (site, generation);
`

/**
 * Keys of advisory locks: for creating our tables, for creating those of the engine, for changing runs, and for filling the
 * queue. Each key has one purpose, because two purposes with one key would block each other.
 */
export const advisoryLocks = {
  tables: 7_305_816_221,
  launch: 7_305_816_222,
  runs: 7_305_816_223,
  queue: 7_305_816_224,
} as const
