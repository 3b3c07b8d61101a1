import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import pg from 'pg'
import { isLoopback } from '../model/listen-address.js'
import { DatabaseError, type QueryRunner, toDatabaseError } from './database-error.js'

/** The modes in which libpq checks less than in `verify-full`. The driver checks as much, unless told otherwise. */
const laxModes = ['allow', 'prefer', 'require', 'verify-ca']

/**
 * Adapts a connection string for the driver, which uses the last value of an option. Without `sslmode` the driver connects
 * without TLS and sends the password to any server: for other machines this sets `verify-full`. The driver verifies
 * with `require`, `prefer` and `verify-ca`, too, until its next major version, and warns about it at each start: here they
 * become `verify-full`.
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
    /** True if the driver would accept any certificate of another machine. */
    isUnverified: !isLocal && ([mode, ssl].includes('no-verify') || (isLax && isCompatible)),
  }
}

/**
 * Rejects with a `DatabaseError` if a new connection does not own its server process: the process id that the server sent
 * at the start differs from the one that answers. Locks belong to that process, so a pooler that shares it between
 * transactions also shares its locks. The client cannot detect how long a pooler keeps it.
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

/** Attempts of a pool to connect to a database that refuses them: the pause doubles. */
const connectPauseMs = { first: 100, max: 1000 } as const

/** Does an attempt to connect, or joins the next one of others. */
type Attempt = <T>(connect: () => Promise<T>) => Promise<T>

/**
 * Creates the turns of the connections of a pool. While the database refuses them, there is one attempt after each pause,
 * and all others fail with it: hundreds of sites would each try for themselves. The connection of a session tries for
 * itself, so that it waits for no attempt that hangs.
 */
export function createConnectTurns(pause: (milliseconds: number) => Promise<void>): Attempt {
  let pauseMs = 0
  let next: Promise<unknown> | undefined
  const attempt: Attempt = async connect => {
    try {
      const connected = await connect()
      pauseMs = 0
      return connected
    } catch (error) {
      pauseMs = Math.min(connectPauseMs.max, pauseMs * 2 || connectPauseMs.first)
      throw error
    }
  }
  return async connect => {
    if (next !== undefined) {
      await next
      return attempt(connect)
    }
    if (pauseMs === 0) return attempt(connect)
    const waited = pause(pauseMs)
      .then(() => attempt(connect))
      .finally(() => {
        next = undefined
      })
    next = waited
    return waited
  }
}

export interface SignedInOptions extends pg.ClientConfig {
  /** The turns that all connections of a pool share. */
  readonly connectInTurn?: Attempt
  /** Maximum time for which the server may say nothing while a query runs, in milliseconds. */
  readonly queryDeadlineMs?: number
}

/**
 * A connection that closes on every error. The driver leaves it open for errors it detects itself, such as a missing
 * password, and the process could not end until the server times out. Without TLS, it never sends the password in clear
 * text, because any machine could ask. A query that gets no byte for too long also closes it: after the failure of a
 * firewall, the two ends do not notice that they are separated.
 */
export class SignedInClient extends pg.Client {
  declare readonly readyForQuery: boolean
  readonly #connectInTurn: Attempt

  constructor({
    queryDeadlineMs = 0,
    connectInTurn = connect => connect(),
    ...config
  }: SignedInOptions = {}) {
    super(config)
    this.#connectInTurn = connectInTurn
    const { connection } = this
    connection.once('readyForQuery', () =>
      this.socket.setTimeout(queryDeadlineMs, () => this.readyForQuery || this.socket.destroy()),
    )
    connection.on('error', () => this.socket.destroy())
    // Without a listener, an error while no query runs would end the process; the next query fails.
    this.on('error', () => undefined)
    // Before the driver reacts and writes to a closed connection.
    connection.on('authenticationCleartextPassword', () => {
      if (!this.socket.encrypted)
        connection.emit('error', new Error('the server asked for a clear-text password without SSL'))
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#connectInTurn(() => super.connect())
    if (callback === undefined) return connected
    connected.then(() => callback(null as unknown as Error), callback)
    return undefined
  }

  /** Another one once TLS has begun; without TLS, it is not `encrypted`. */
  get socket() {
    return this.connection.stream as Socket & Partial<Pick<TLSSocket, 'encrypted'>>
  }
}

/** A connection outside the pool, for locks that end with it. It keeps no process alive while it is idle. */
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
  const inTurn = createTurns()
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

/** Returns a function that does each work after the one before it, however that ended. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}
