import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import pg from 'pg'
import { limitConcurrency } from '../model/limit-concurrency.js'
import { isLoopback } from '../model/listen-address.js'
import { DatabaseError, isRefused, type QueryRunner, toDatabaseError } from './database-error.js'

/** Modes in which libpq checks less than in `verify-full`. The driver does so only with `uselibpqcompat`. */
const laxModes = ['allow', 'prefer', 'require', 'verify-ca']

/**
 * Adapts a connection string to the driver, which uses the last value of an option. Without `sslmode`, the driver connects
 * without TLS and sends the password to any server, so databases on other machines get `verify-full`. So do the lax modes:
 * until its next major version, the driver verifies with them as well, and warns about it at each start.
 */
export function adaptConnectionString(connection: string) {
  const { searchParams, hostname } = new URL(connection)
  const read = (name: string) => searchParams.getAll(name).at(-1) ?? ''
  const [mode, ssl, isCompatible] = [read('sslmode'), read('ssl'), read('uselibpqcompat') === 'true']
  const host = read('host') || decodeURIComponent(hostname)
  const isLocal = host.startsWith('/') || isLoopback({ host: host.replaceAll(/[[\]]/g, '') })
  const isUnset = mode === '' && !/^(?:true|false|[01])$/.test(ssl)
  const isLax = laxModes.includes(mode)
  const [address = ''] = connection.split('#')
  const verifyFull = `${address}${address.includes('?') ? '&' : '?'}sslmode=verify-full`
  return {
    connectionString: (isUnset && !isLocal) || (isLax && !isCompatible) ? verifyFull : connection,
    /** True if the database is on another machine and the driver would accept any certificate. */
    isUnverified: !isLocal && ([mode, ssl].includes('no-verify') || (isLax && isCompatible)),
  }
}

/**
 * Rejects with a `DatabaseError` if a new connection does not own its server process: the process id that the server sent
 * at the start differs from the one that answers. Locks belong to that process, so a pooler that shares it between
 * transactions also shares its locks. Poolers are rejected in every mode, because a client cannot detect the mode.
 */
export async function rejectPooler(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as backend')
  const { processID } = client as pg.ClientBase & { readonly processID: number }
  if ((rows[0] as { readonly backend: number }).backend !== processID)
    throw new DatabaseError('a pooler is in between', 'LANDFORM_POOLER')
}

/** Runs queries on a client or a pool, with the errors of the driver. */
export function toRunner(client: Pick<pg.ClientBase, 'query'>): QueryRunner {
  return { rows: async (sql, values) => (await client.query(sql, values && [...values])).rows }
}

/** A query of PostgreSQL, after it refused a connection. */
const refusedPauseMs = 1000

/**
 * Limits queries while the database refuses connections: one is sent after each pause, and the others fail with it, because
 * otherwise hundreds of sites would each connect.
 */
export function limitWhileRefused(now: () => number): <T>(work: () => Promise<T>) => Promise<T> {
  let refused: { readonly error: unknown; readonly untilMs: number } | undefined
  const refuse = (error: unknown) => {
    refused = { error, untilMs: now() + refusedPauseMs }
  }
  return async work => {
    if (refused !== undefined) {
      if (now() < refused.untilMs) throw refused.error
      refuse(refused.error)
    }
    try {
      const result = await work()
      refused = undefined
      return result
    } catch (error) {
      if (isRefused(error)) refuse(error)
      throw error
    }
  }
}

export interface SignedInOptions extends pg.ClientConfig {
  /** Closes the connection if the server sends nothing for this long while a query runs. */
  readonly queryDeadlineMs?: number
}

/**
 * A connection that closes on every error. The driver would keep it open after errors that it detects itself, such as a
 * missing password, and the process could not end until the server times out. It also closes if a query receives nothing
 * for too long, because a failed firewall may separate both ends without either noticing. Without TLS, it never sends the
 * password in clear text, because any machine could ask for it.
 */
export class SignedInClient extends pg.Client {
  declare readonly readyForQuery: boolean

  constructor({ queryDeadlineMs = 0, ...config }: SignedInOptions = {}) {
    super(config)
    const { connection } = this
    connection.once('readyForQuery', () =>
      this.socket.setTimeout(queryDeadlineMs, () => this.readyForQuery || this.socket.destroy()),
    )
    connection.on('error', () => this.socket.destroy())
    // Without a listener, an error while no query runs would end the process; the next query fails.
    this.on('error', () => undefined)
    // Registered before the listener of the driver, which would write to a closed connection.
    connection.on('authenticationCleartextPassword', () => {
      if (!this.socket.encrypted)
        connection.emit('error', new Error('the server asked for a clear-text password without SSL'))
    })
  }

  /** TLS replaces the socket; without TLS, `encrypted` is missing. */
  get socket() {
    return this.connection.stream as Socket & Partial<Pick<TLSSocket, 'encrypted'>>
  }
}

/** A connection outside the pool, for locks that end with it. While idle, it does not keep the process alive. */
export interface DedicatedConnection extends QueryRunner {
  readonly closed: Promise<void>
  close(): void
}

/** Opens a connection. Rejects with a `DatabaseError` only. */
export async function openDedicatedConnection(
  options: SignedInOptions,
  queryDeadlineMs: number,
): Promise<DedicatedConnection> {
  const timeouts = { connectionTimeoutMillis: queryDeadlineMs, queryDeadlineMs }
  const client = new SignedInClient({ ...options, ...timeouts, keepAlive: true })
  const closed = new Promise<void>(resolve => client.once('end', () => resolve()))
  const inTurn = limitConcurrency(1)
  try {
    await client.connect()
    await rejectPooler(client)
  } catch (error) {
    client.socket.destroy()
    throw toDatabaseError(error)
  }
  const { socket } = client
  socket.unref()
  return {
    closed,
    rows: (sql, values) =>
      // The driver takes one query at a time, and a closed socket has nothing to keep alive.
      inTurn(async () => {
        if (socket.destroyed) throw new DatabaseError('the connection was closed', '08006')
        socket.ref()
        try {
          return await toRunner(client).rows(sql, values)
        } catch (error) {
          throw toDatabaseError(error)
        } finally {
          if (!socket.destroyed) socket.unref()
        }
      }),
    close: () => client.socket.destroy(),
  }
}
