import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import pg from 'pg'
import { isLoopback } from '../model/listen-address.js'
import { DatabaseError, isUnreachable, type QueryRunner, toDatabaseError } from './database-error.js'

/** The TLS options of a connection string; of several values the driver uses the last. */
function readTls(connection: string) {
  const { searchParams, hostname } = new URL(connection)
  const read = (name: string) => searchParams.getAll(name).at(-1)
  const host = read('host') ?? decodeURIComponent(hostname)
  return {
    mode: read('sslmode') ?? '',
    ssl: read('ssl') ?? '',
    isCompatible: read('uselibpqcompat') === 'true',
    /** On this machine, or a Unix socket. */
    isLocal: host.startsWith('/') || isLoopback({ host: host.replaceAll(/[[\]]/g, '') }),
    separator: searchParams.size > 0 ? '&' : '?',
  }
}

/** True if the driver would accept any certificate of another machine, as some modes of libpq do. */
export function isUnverified(connection: string): boolean {
  const { mode, ssl, isCompatible, isLocal } = readTls(connection)
  const isLax = isCompatible && ['allow', 'prefer', 'require', 'verify-ca'].includes(mode)
  return !isLocal && (mode === 'no-verify' || ssl === 'no-verify' || isLax)
}

/**
 * Adapts the connection string for the driver. Without `sslmode` the driver connects without TLS and sends the password to
 * any server: for other machines this sets `verify-full`. The driver treats `require`, `prefer` and `verify-ca` like that,
 * too, until its next major version, and warns about it at each start; here they mean it permanently.
 */
export function formatDriverString(connection: string): string {
  const { mode, ssl, isCompatible, isLocal, separator } = readTls(connection)
  if (mode === '' && !/^(?:true|false|[01])$/.test(ssl) && !isLocal) {
    const [address = '', ...fragment] = connection.split('#')
    return [`${address}${separator}sslmode=verify-full`, ...fragment].join('#')
  }
  if (isCompatible) return connection
  return connection.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
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

export interface SignedInOptions extends pg.ClientConfig {
  /** Maximum time for which the server may say nothing while a query runs, in milliseconds. Default: none. */
  readonly maxSilenceMs?: number
}

/**
 * A connection that closes on every error. The driver leaves it open for errors it detects itself, such as a missing
 * password, and the process could not end until the server times out. Without TLS, it never sends the password in clear
 * text, because any machine could ask. A query that gets no byte for too long also closes it: after the failure of a
 * firewall, the two ends do not notice that they are separated.
 */
export class SignedInClient extends pg.Client {
  declare readonly readyForQuery: boolean

  constructor(config: SignedInOptions = {}) {
    super(config)
    const { connection } = this
    const { maxSilenceMs } = config
    if (maxSilenceMs !== undefined)
      connection.once('readyForQuery', () => {
        // Known only now: TLS replaces the socket.
        const stream = connection.stream as Socket
        stream.setTimeout(maxSilenceMs, () => this.readyForQuery || stream.destroy())
      })
    connection.on('error', () => connection.stream.destroy())
    // Before the driver reacts and writes to a closed connection.
    connection.on('authenticationCleartextPassword', () => {
      if ((connection.stream as Partial<TLSSocket>).encrypted === true) return
      connection.emit('error', new Error('the server asked for a clear-text password without SSL'))
    })
  }
}

/** A connection outside the pool, for locks that end with it. It keeps no process alive while it is idle. */
export interface DedicatedConnection extends QueryRunner {
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>
  close(): void
}

/**
 * Opens a connection with a timeout for each query, in milliseconds; one that is silent for longer is closed. Rejects with a
 * `DatabaseError` only.
 */
export async function openDedicatedConnection(
  options: pg.ClientConfig,
  queryTimeoutMs: number,
): Promise<DedicatedConnection> {
  const timeouts = { connectionTimeoutMillis: queryTimeoutMs, query_timeout: queryTimeoutMs }
  const client = new SignedInClient({ ...options, ...timeouts, keepAlive: true })
  const socket = client.connection.stream as Socket
  const closed = new Promise<void>(resolve => client.once('end', () => resolve()))
  client.on('error', () => socket.destroy())
  let underWay = 0
  const runQuery = async <T>(ask: () => Promise<T>): Promise<T> => {
    underWay += 1
    socket.ref()
    try {
      return await ask()
    } catch (error) {
      const failure = toDatabaseError(error)
      if (isUnreachable(failure)) socket.destroy()
      throw failure
    } finally {
      underWay -= 1
      if (underWay === 0) socket.unref()
    }
  }
  try {
    await runQuery(() => client.connect())
    await runQuery(() => rejectPooler(client))
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    closed,
    rows: (sql, values) => runQuery(async () => (await client.query(sql, values && [...values])).rows),
    close: () => socket.destroy(),
  }
}
