export type Row = Readonly<Record<string, unknown>>

/** Asks the database. Rejects with a `DatabaseError` only, which says why without a word of the connection string. */
export interface Asking {
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
}

/** The database did not do what it was asked: it is away, it refused, or it is not ours. */
export class DatabaseError extends Error {
  /** The code of PostgreSQL or of the system, such as `57P01` or `ECONNREFUSED`. */
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.name = 'DatabaseError'
    this.code = code
  }
}

/** What the driver says without a code: a connection that broke, TLS, and a password that is not there. */
const codeless: readonly (readonly [RegExp, string])[] = [
  [/timeout|terminat|closed|not queryable/i, '08006'],
  [/SSL/, 'ERR_SSL'],
  [/SASL/, '28P01'],
]

/** What the server or the system said; a message of PostgreSQL names tables and values of ours, never a password. */
export function databaseError(error: unknown): unknown {
  if (error instanceof DatabaseError) return error
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const text = String(message)
  const known = typeof code === 'string' ? code : codeless.find(([words]) => words.test(text))?.[1]
  // What has no code is a defect of ours, and is to be seen as one.
  return known === undefined ? error : new DatabaseError(text === '' ? known : text, known)
}

/**
 * True where no connection is or was to be had, or only one to a standby: whether the last question was carried out is then
 * not known.
 */
export function isAway(error: unknown): boolean {
  return error instanceof DatabaseError && away.test(error.code)
}

const away = /^(?:08|57P0|53300|25006|E(?:CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND))/
