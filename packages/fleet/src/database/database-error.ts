export type Row = Readonly<Record<string, unknown>>

/** Runs queries. Rejects with a `DatabaseError` only, whose message never contains the connection string. */
export interface QueryRunner {
  /** Returns rows of the type that the query declares; tests run every query against PostgreSQL. */
  rows<T extends object = Row>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
}

/** A failed query: the database is unreachable, rejected the query, or has tables that are not ours. */
export class DatabaseError extends Error {
  /** The code of PostgreSQL or of the system, such as `57P01` or `ECONNREFUSED`. */
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.name = 'DatabaseError'
    this.code = code
  }
}

/** Driver errors without a code: a broken connection, TLS, and a missing password. */
const codeless: readonly (readonly [RegExp, string])[] = [
  [/timeout|terminat|closed|not queryable/i, '08006'],
  [/SSL/, 'ERR_SSL'],
  [/SASL/, '28P01'],
]

/** Converts an error of the driver; a message of PostgreSQL names our tables and values, never a password. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseError) return error
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const text = String(message)
  const known = typeof code === 'string' ? code : codeless.find(([words]) => words.test(text))?.[1]
  // An error without a code is a bug and must surface as one.
  return known === undefined ? error : new DatabaseError(text === '' ? known : text, known)
}

/** True if there was no connection, or only one to a standby server: it is unknown whether the last query was executed. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseError && unreachableCodes.test(error.code)
}

const unreachableCodes = /^(?:08|57P0|53300|25006|E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND))/
