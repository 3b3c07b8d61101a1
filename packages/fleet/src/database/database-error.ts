export type Row = Readonly<Record<string, unknown>>

/** Runs queries. Rejects with a `DatabaseError` only, whose message never contains the connection string. */
export interface QueryRunner {
  /** Returns rows without checking their declared type: tests run every query against PostgreSQL. */
  rows<T extends object = Row>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
}

/** A failed query: the database is unreachable, rejected the query, or has tables that are not ours. */
export class DatabaseError extends Error {
  /** A code of PostgreSQL, of the system or of Landform, such as `57P01`, `ECONNREFUSED` or `LANDFORM_LOST`. */
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.name = 'DatabaseError'
    this.code = code
  }
}

/** Codes for driver errors that have none: a broken connection, TLS, and a missing password. */
const codeless: readonly (readonly [RegExp, string])[] = [
  [/timeout|terminat|closed|not queryable/i, '08006'],
  [/does not support SSL/, 'LANDFORM_NO_TLS'],
  [/SSL/, 'ERR_SSL'],
  [/SASL/, '28P01'],
]

/** Converts an error of the driver. A message of PostgreSQL may contain names and values of our tables, never a password. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseError) return error
  const { code, message, severity } = error as Readonly<Record<'code' | 'message' | 'severity', unknown>>
  // PostgreSQL never sends this to its driver. PgBouncer does, for a parameter, a database or a user that it rejects.
  if (code === '08P01' && severity === 'FATAL') return new DatabaseError(String(message), 'LANDFORM_POOLER')
  const text = String(message)
  const known = typeof code === 'string' ? code : codeless.find(([words]) => words.test(text))?.[1]
  // An error without a code is a bug and must surface as one.
  return known === undefined ? error : new DatabaseError(text === '' ? known : text, known)
}

/** Tests whether a repeatable query is to be sent again: there was no connection, or only to a standby, or a conflict. */
export function isUnreachable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && unreachableCodes.test(error.code)
}

/** Tests whether a new connection was refused: a broken one has other codes. */
export function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError && refusedCodes.test(error.code)
}

const refusedCodes = /^(?:28|53300|57P03|LANDFORM|E(?!CONNRESET|PIPE))/
const unreachableCodes = /^(?:08|40|57P0|53300|25006|E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND))/

/** Reasons by error code; the first match counts. The message of the server is not shown, because it may name users. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^LANDFORM_NEWER/, 'its tables were created by a newer version of Landform; use that version'],
  // `23503`: the session of the new hold no longer exists.
  [/^(?:LANDFORM_LOST|23503)/, 'this run lost its lease, and another may have locked the site'],
  [/^LANDFORM_RACE/, 'other runs keep locking the site'],
  [/^LANDFORM_POOLER/, 'a pooler is between Landform and the server; connect to the server itself'],
  [
    /^LANDFORM_UNVERIFIED/,
    'its connection string disables certificate verification, which is allowed only for a database on this machine; name the authority with `sslrootcert=FILE`',
  ],
  [
    /^LANDFORM_NO_TLS/,
    'the database offers no TLS; enable `ssl` on the server or, in a network that you trust, set `sslmode=disable`',
  ],
  [/^42(?:P0|703)/, 'its schema `landform` was not created by Landform'],
  [/^28/, 'the database rejected the user or the password'],
  [/^3D000/, 'the database does not exist'],
  [/^(?:42501|25006)/, 'the user lacks permission to read and write'],
  [/^53[12]/, 'the database is out of disk space or memory'],
  [/^53300/, 'the database accepts no more connections'],
  [
    /ALTNAME/,
    'the certificate of the database is for another name; connect with a name that is in the certificate',
  ],
  [/CERT|SIGN/, 'the certificate of the database is not trusted; name its authority with `sslrootcert=FILE`'],
  [/^ERR_SSL|TLS/, 'the TLS connection to the database failed'],
  [/^(?:ENOENT|EACCES|EISDIR)$/, 'a certificate file named in the connection string cannot be read'],
  [
    /^(?:ENOMEM|ENOBUFS|EMFILE|ENFILE|EADDRNOTAVAIL)$/,
    'this machine is out of memory, open files or ports for a connection',
  ],
  [/^(?:08|57P|E[A-Z])/, 'the database cannot be reached'],
]

/** Describes why a database cannot be used. */
export function describeDatabaseError({ code }: DatabaseError): string {
  const [, words] = reasons.find(([codes]) => codes.test(code)) ?? []
  return words ?? `the database rejected the query (${code})`
}
