import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DatabaseError,
  describeDatabaseError,
  isUnreachable,
  toDatabaseError,
} from '../../packages/fleet/src/database/database-error.js'
import { readRecording } from '../support/answers/recorded.js'
import { root } from '../support/manifests.js'

const runbook = readFileSync(join(root, 'docs/fleet-runbook.md'), 'utf8')

test.each([
  ['ECONNREFUSED', 'cannot be reached'],
  ['57P01', 'cannot be reached'],
  ['28P01', 'rejected the user or the password'],
  ['LANDFORM_NO_TLS', 'offers no TLS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the database is not trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate of the database is not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of the database is for another name'],
  ['LANDFORM_UNVERIFIED', 'disables certificate verification'],
  ['ENOMEM', 'this machine is out of memory, open files or ports'],
  ['ENOBUFS', 'this machine is out of memory, open files or ports'],
  ['53300', 'accepts no more connections'],
  ['53100', 'is out of disk space or memory'],
  ['42501', 'lacks permission to read and write'],
  ['LANDFORM_POOLER', 'a pooler is between Landform and the server'],
  ['LANDFORM_NEWER', 'its tables were created by a newer version of Landform'],
])('a database error with the code %s has the words of the runbook', (code, words) => {
  expect(describeDatabaseError(new DatabaseError('any', code))).toContain(words)
  expect(runbook).toContain(`| *${words}* |`)
})

test.each([
  ['a wrong password', 'rejected the user or the password'],
  ['a database that does not exist', 'does not exist'],
  ['a table that does not exist', 'was not created by Landform'],
  ['a column that does not exist', 'was not created by Landform'],
  ['a user without permission', 'lacks permission to read and write'],
  ['no connection is left', 'accepts no more connections'],
  ['a server that only reads', 'lacks permission to read and write'],
  ['a session that was ended', 'cannot be reached'],
])("PostgreSQL's response to %s is described", (recorded, words) => {
  const answer = readRecording('postgres').answers[recorded]
  const { code } = (answer?.body ?? { code: 'not recorded' }) as { readonly code: string }
  expect(describeDatabaseError(new DatabaseError('any', code))).toContain(words)
})

test('a missing certificate is not described as a server that cannot be reached', () => {
  expect(describeDatabaseError(new DatabaseError('any', 'ENOENT'))).toContain('certificate')
})

test.each([
  'unsupported startup parameter: idle_in_transaction_session_timeout',
  'no such database: fleet',
  'no more connections allowed (max_client_conn)',
])('PgBouncer is recognized by its error: %s', message => {
  const refusal = toDatabaseError(Object.assign(new Error(message), { code: '08P01', severity: 'FATAL' }))
  expect(refusal).toMatchObject({ code: 'LANDFORM_POOLER' })
  expect(isUnreachable(refusal)).toBe(false)
})
