import type { DatabaseError } from './database-error.js'

/** Reasons by error code; the first match counts. The message of the server is not shown, because it may name users. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^LANDFORM_NEWER/, 'a newer Landform made its tables; use that one'],
  [/^LANDFORM_LOST/, 'this run was silent for too long, and others may have the site'],
  [/^LANDFORM_RACE/, 'other runs keep taking the site'],
  [/^LANDFORM_POOLER/, 'a pooler is between Landform and the server; connect to the server itself'],
  [/^42(?:P0|703)/, 'its schema landform is not one of Landform'],
  [/^28/, 'the database refuses the user or the password'],
  [/^3D000/, 'there is no such database'],
  [/^(?:42501|25006)/, 'the user may not read and write there'],
  [/^53[12]/, 'the database has no room left'],
  [/^53300/, 'the database takes no more connections'],
  [/^(?:ERR_SSL|.*(?:CERT|SIGN|TLS))/, 'the connection to the database is not safe: TLS or its certificate'],
  [/^(?:ENOENT|EACCES|EISDIR)$/, 'a certificate that the connection string names cannot be read'],
  [/^(?:08|57P|E[A-Z])/, 'the database cannot be reached'],
]

/** Describes why a database cannot be used. */
export function reasonOf({ code }: DatabaseError): string {
  if (code === undefined) return 'the database does not answer'
  const [, words] = reasons.find(([codes]) => codes.test(code)) ?? []
  return words ?? `the database refuses it (${code})`
}
