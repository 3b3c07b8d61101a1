import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseRoute, createManifestRedaction } from '../../src/library/site-route.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { anAuthority } from '../support/certificate.js'
import { exampleManifest, root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const authority = anAuthority('An authority of our own')
const client = authority.issue('landform')
const url = 'https://gis.example.org/admin'

/** Chooses routes to a site whose manifest has these TLS settings, with each CA in turn in its CA file. */
async function routesFor(tls: string, ...authorities: readonly string[]) {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'tls'))
  writeFileSync(join(folder, 'tls/client.pem'), client.cert)
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const bytes = Buffer.from(text.replace(/(\n +)url: .*/, `$1url: ${url}$1tls: ${tls}`))
  const loaded = loadManifest({ name: join(folder, 'site.yaml'), bytes })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics))
  const secrets = secretSource({ LANDFORM_TLS_KEY: client.key }, folder)
  const contexts: unknown[] = []
  for (const one of authorities) {
    writeFileSync(join(folder, 'tls/authority.pem'), one)
    const route = await chooseRoute(url, { manifest: loaded.value, secrets, environment: {} })
    expect(route).toMatchObject({ ok: true, value: { trust: expect.any(Object) } })
    contexts.push(route.ok && route.value.trust)
  }
  return contexts
}

test('CAs are parsed once for all sites with the same ones, and again when they change', async () => {
  const other = anAuthority('Another')
  const [first, second, third] = await routesFor(
    '{ caFile: tls/authority.pem }',
    authority.cert,
    authority.cert,
    other.cert,
  )
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  const [again] = await routesFor('{ caFile: tls/authority.pem }', other.cert)
  expect(again).toBe(third)
})

test('a TLS context with a client key is used for one route only', async () => {
  const [first, second] = await routesFor(
    '{ caFile: tls/authority.pem, client: { certificate: tls/client.pem, privateKey: { env: LANDFORM_TLS_KEY } } }',
    authority.cert,
    authority.cert,
  )
  expect(second).not.toBe(first)
})

const redactionWith = (environment: Readonly<Record<string, string>>) =>
  createManifestRedaction(exampleManifest('quickstart'), secretSource(environment, join(root, 'examples')))()

test.each(Object.entries(someSecrets))('the value of %s is redacted', async (_, value) => {
  const { redact, isComplete } = await redactionWith(someSecrets)
  expect(redact(`before ${value} behind`)).not.toContain(value)
  expect(isComplete).toBe(true)
})

test('a password that breaks the password rules is redacted as well', async () => {
  const password = 'without-any-digit'
  const { redact, isComplete } = await redactionWith({ ...someSecrets, LANDFORM_ADMIN_PASSWORD: password })
  expect(redact(`before ${password} behind`)).not.toContain(password)
  expect(isComplete).toBe(true)
})

test('a secret that is not set is skipped, and the others are redacted', async () => {
  const { LANDFORM_ADMIN_PASSWORD: _, ...others } = someSecrets
  const { redact, isComplete } = await redactionWith(others)
  expect(redact(`before ${someSecrets.LANDFORM_TOKEN} behind`)).not.toContain(someSecrets.LANDFORM_TOKEN)
  expect(isComplete).toBe(false)
})

test('a license that is too large to be read makes the redaction incomplete', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'licenses'))
  const completeWith = async (bytes: number) => {
    writeFileSync(join(folder, 'licenses/site.json'), 'x'.repeat(bytes))
    const manifest = exampleManifest('quickstart')
    return (await createManifestRedaction(manifest, secretSource(someSecrets, folder))()).isComplete
  }
  expect(await completeWith(196_608)).toBe(true)
  expect(await completeWith(196_609)).toBe(false)
})
