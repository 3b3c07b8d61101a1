import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from '../../packages/fleet/src/database/database-error.js'
import { describeDatabaseError } from '../../packages/fleet/src/database/reason.js'
import { root } from '../support/manifests.js'

const runbook = readFileSync(join(root, 'docs/fleet-runbook.md'), 'utf8')

test.each([
  ['ECONNREFUSED', 'cannot be reached'],
  ['57P01', 'cannot be reached'],
  ['28P01', 'rejected the user or the password'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the TLS connection or the certificate of the database is invalid'],
  ['53300', 'accepts no more connections'],
  ['53100', 'is out of disk space or memory'],
  ['42501', 'lacks permission to read and write'],
  ['LANDFORM_POOLER', 'a pooler is between Landform and the server'],
  ['LANDFORM_NEWER', 'its tables were created by a newer version of Landform'],
])('a database that fails with %s is told by words that the runbook has', (code, words) => {
  expect(describeDatabaseError(new DatabaseError('any', code))).toContain(words)
  expect(runbook).toContain(`| *${words}* |`)
})

test('a certificate that is not there is not told as a server that is away', () => {
  expect(describeDatabaseError(new DatabaseError('any', 'ENOENT'))).toContain('certificate')
})
