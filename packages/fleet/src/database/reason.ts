import type { DatabaseError } from './database-error.js'

/** Reasons by error code; the first match counts. The message of the server is not shown, because it may name users. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^LANDFORM_NEWER/, 'its tables were created by a newer version of Landform; use that version'],
  [/^LANDFORM_LOST/, 'this run lost its lease, and another may have locked the site'],
  [/^LANDFORM_RACE/, 'other runs keep locking the site'],
  [/^LANDFORM_POOLER/, 'a pooler is between Landform and the server; connect to the server itself'],
  [/^42(?:P0|703)/, 'its schema `landform` was not created by Landform'],
  [/^28/, 'the database rejected the user or the password'],
  [/^3D000/, 'the database does not exist'],
  [/^(?:42501|25006)/, 'the user lacks permission to read and write'],
  [/^53[12]/, 'the database is out of disk space or memory'],
  [/^53300/, 'the database accepts no more connections'],
  [/^(?:ERR_SSL|.*(?:CERT|SIGN|TLS))/, 'the TLS connection or the certificate of the database is invalid'],
  [/^(?:ENOENT|EACCES|EISDIR)$/, 'a certificate file named in the connection string cannot be read'],
  [/^(?:08|57P|E[A-Z])/, 'the database cannot be reached'],
]

/** Describes why a database cannot be used. */
export function describeDatabaseError({ code }: DatabaseError): string {
  if (code === undefined) return 'the database does not answer'
  const [, words] = reasons.find(([codes]) => codes.test(code)) ?? []
  return words ?? `the database rejected the query (${code})`
}
