import { join } from 'node:path'
import { createManifestRedactor } from '../../src/library/manifest-redactor.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { exampleManifest, root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'

const redactorWith = (environment: Readonly<Record<string, string>>) =>
  createManifestRedactor(exampleManifest('quickstart'), secretSource(environment, join(root, 'examples')))()

test.each(Object.entries(someSecrets))('the value of %s does not stay in a text', async (_, value) => {
  const redact = await redactorWith(someSecrets)
  expect(redact(`before ${value} behind`)).not.toContain(value)
})

test('a password that breaks the rules of passwords does not either', async () => {
  const password = 'without-any-digit'
  const redact = await redactorWith({ ...someSecrets, LANDFORM_ADMIN_PASSWORD: password })
  expect(redact(`before ${password} behind`)).not.toContain(password)
})

test('a secret that is not set is skipped, and the others are not', async () => {
  const { LANDFORM_ADMIN_PASSWORD: _, ...others } = someSecrets
  const redact = await redactorWith(others)
  expect(redact(`before ${someSecrets.LANDFORM_TOKEN} behind`)).not.toContain(someSecrets.LANDFORM_TOKEN)
})
