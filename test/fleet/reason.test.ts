import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from '../../packages/fleet/src/database/database-error.js'
import { reasonOf } from '../../packages/fleet/src/database/reason.js'
import { root } from '../support/manifests.js'

const runbook = readFileSync(join(root, 'docs/fleet-runbook.md'), 'utf8')

test.each([
  ['ECONNREFUSED', 'cannot be reached'],
  ['57P01', 'cannot be reached'],
  ['28P01', 'refuses the user or the password'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'is not safe: TLS or its certificate'],
  ['53300', 'takes no more connections'],
  ['53100', 'has no room left'],
  ['42501', 'may not read and write there'],
  ['LANDFORM_POOLER', 'a pooler is between Landform and the server'],
  ['LANDFORM_NEWER', 'a newer Landform made its tables'],
])('a database that fails with %s is told by words that the runbook has', (code, words) => {
  expect(reasonOf(new DatabaseError('any', code))).toContain(words)
  expect(runbook).toContain(`| *${words}* |`)
})

test('a certificate that is not there is not told as a server that is away', () => {
  expect(reasonOf(new DatabaseError('any', 'ENOENT'))).toContain('certificate')
})
