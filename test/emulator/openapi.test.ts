import { siteWriter } from '../../src/client/site-writer.js'
import { credentialTypeNames } from '../../src/contract/cloud.js'
import { serverLicensePart } from '../../src/contract/field-notes.js'
import type { OperationName } from '../../src/contract/operation-name.js'
import { operations } from '../../src/contract/operations.js'
import { manifestVersions, type ServiceVersion } from '../../src/contract/versions.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { buildOpenApiDocument } from '../../src/schema/openapi/document.js'
import { listConfigureReferences } from '../../src/secrets/needed-references.js'
import { Secret } from '../../src/secrets/secret.js'
import { anUpdate } from '../support/an-update.js'
import { configured } from '../support/configured.js'
import { aFullManifest, aSmallManifest, removed } from '../support/manifest-value.js'
import { closed, judgeOf, mediaIn, objectIn, operationIn, parametersIn } from '../support/openapi.js'
import { type TappedRequest, tap } from '../support/tapped.js'
import { anUpgradeConfig, begin, configureValues } from './service/builders.js'

const running: Emulator[] = []
const start = async (options: EmulatorOptions = {}) => {
  const { inspect, requests } = tap()
  const emulator = await startEmulator({ now: () => begin, inspect, ...options })
  running.push(emulator)
  return { ...emulator, requests }
}
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

describe('the bodies that Landform sends fit the description, and carry nothing that it does not name', () => {
  const signal = new AbortController().signal

  /** What came in under one operation, as a value for the schema of its body. */
  function bodyOf(
    { requests }: { readonly requests: readonly TappedRequest[] },
    name: OperationName,
    document: JsonObject,
  ): JsonObject {
    const parts = requests.findLast(({ operation }) => operation === name)?.parts ?? []
    const schemas = parametersIn(document, name)
    const values = parts.map(part => {
      if (part.kind === 'file') return [part.name, 'bytes'] as const
      return [part.name, schemas[part.name]?.['type'] === 'integer' ? Number(part.text) : part.text] as const
    })
    // The document leaves this one without a name.
    return Object.fromEntries(values.filter(([part]) => part !== serverLicensePart))
  }

  function complaints(version: ServiceVersion, name: OperationName, body: JsonObject): readonly string[] {
    const document = closed(buildOpenApiDocument(version))
    const { schema } = mediaIn(operationIn(document, name)['requestBody'])
    return judgeOf(document)(objectIn(schema), body)
  }

  async function sent(manifest: JsonObject) {
    const loaded = loadManifest({ name: 'site.yaml', bytes: Buffer.from(JSON.stringify(manifest, null, 1)) })
    if (!loaded.ok) throw new Error('the manifest is not valid')
    const { organization, policy, site } = loaded.value
    const emulator = await start({ version: site.version, stageMs: 0 })
    const writer = siteWriter(emulator.url)
    const secret = () => new Secret(Buffer.from('Correct-horse-1'))
    const secrets = new Map(listConfigureReferences(organization).map(({ pointer }) => [pointer, secret()]))
    expect(await configured(writer, organization, secrets)).toMatchObject({ ok: true })
    if (policy !== undefined)
      expect(await writer.update(anUpdate(policy), secret(), signal)).toEqual({ ok: true, value: undefined })
    return emulator
  }

  test.each(credentialTypeNames)('configure and update with everything, and %s', async type => {
    const emulator = await sent(removed(aFullManifest(type), '/spec/extra'))
    const document = buildOpenApiDocument()
    const body = bodyOf(emulator, 'configure', document)
    expect(Object.keys(body)).toEqual(operations.configure.parameters.map(({ name }) => name))
    expect(complaints('11.2', 'configure', body)).toEqual([])
    expect(complaints('11.2', 'update', bodyOf(emulator, 'update', document))).toEqual([])
  })

  test.each(manifestVersions)('configure with the least, in version %s', async version => {
    const emulator = await sent(aSmallManifest(version))
    const body = bodyOf(emulator, 'configure', buildOpenApiDocument(version))
    expect(complaints(version, 'configure', body)).toEqual([])
  })

  test('but not a field that the description does not name', async () => {
    const emulator = await sent(aSmallManifest())
    const body = bodyOf(emulator, 'configure', buildOpenApiDocument())
    const stranger = JSON.stringify({ logLevel: 'INFO', level: 1 })
    expect(complaints('11.2', 'configure', { ...body, logSettings: stranger })).not.toEqual([])
    expect(complaints('10.9', 'configure', { ...body, userManagedStores: '[]' })).not.toEqual([])
  })
})

describe('a request that is made from the description alone, by its example, is accepted', () => {
  const versions: readonly ServiceVersion[] = ['10.4', '10.8', ...manifestVersions]

  /** The body of an example in the media type that the description names. */
  function bodyFor(document: JsonObject, name: OperationName, example: JsonObject) {
    const [mediaType] = Object.keys(objectIn(objectIn(operationIn(document, name)['requestBody'])['content']))
    const multipart = mediaType === 'multipart/form-data'
    const body = multipart ? new FormData() : new URLSearchParams()
    const schemas = parametersIn(document, name)
    for (const [parameter, value] of Object.entries(example)) {
      const isFile = schemas[parameter]?.['contentMediaType'] === 'application/octet-stream'
      if (isFile && body instanceof FormData) body.append(parameter, new File([String(value)], 'file'))
      else body.append(parameter, String(value))
    }
    return body
  }

  test.each(versions)('by the emulator of version %s', async version => {
    const emulator = await start({ version, stageMs: 0 })
    const document = buildOpenApiDocument(version, emulator.url)
    for (const [template, item] of Object.entries(objectIn(document['paths'])))
      for (const [method, operation] of Object.entries(objectIn(item))) {
        const { operationId, requestBody } = objectIn(operation)
        const name = operationId as OperationName
        const url = `${emulator.url}${template.replace('{service}', 'Roads.GPServer')}`
        const examples = requestBody === undefined ? {} : objectIn(mediaIn(requestBody)['examples'])
        const bodies = Object.values(examples).map(example =>
          bodyFor(document, name, objectIn(objectIn(example)['value'])),
        )
        for (const body of requestBody === undefined ? [null] : bodies) {
          const response = await fetch(url, { method: method.toUpperCase(), body })
          expect([name, await response.json()]).not.toEqual([name, { error: expect.anything() }])
        }
      }
    const carriedOut = Object.values(emulator.world().counters).filter(({ accepted }) => accepted > 0)
    expect(carriedOut).toHaveLength(Object.keys(objectIn(document['paths'])).length)
  })
})

describe('what the emulator answers fits the description', () => {
  const form = (values: Readonly<Record<string, string>>) => ({
    method: 'POST',
    body: new URLSearchParams(values),
  })
  const multipart = (changes: Readonly<Record<string, string>> = {}) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...configureValues(), ...changes }))
      body.append(name, typeof value === 'string' ? value : new File([value], 'license.json'))
    return { method: 'POST', body }
  }
  const policy = JSON.stringify(anUpgradeConfig())
  const service = '/services/Roads.GPServer/webhooks/deleteAll'

  /** What is wrong with an answer by the description of the emulated version, and whether it was a refusal. */
  async function asked(
    emulator: Pick<Emulator, 'url' | 'world'>,
    name: OperationName,
    path: string,
    init: RequestInit = {},
  ) {
    const document = buildOpenApiDocument(emulator.world().version)
    const response = await fetch(`${emulator.url}${path}`, init)
    const body = (await response.json()) as JsonValue
    const answers = objectIn(operationIn(document, name)['responses'])
    const { schema } = mediaIn(answers[String(response.status)] ?? answers['default'])
    return { complaints: judgeOf(document)(objectIn(schema), body), refused: 'error' in objectIn(body) }
  }
  const answered = { complaints: [], refused: false }
  const refused = { complaints: [], refused: true }

  test.each(manifestVersions)('from the first look to a site that is ready, in version %s', async version => {
    let now = begin
    const emulator = await start({ version, now: () => now, stageMs: 1000 })
    const look = () => asked(emulator, 'root', '?f=pjson')
    expect(await look()).toEqual(answered)
    expect(await asked(emulator, 'configure', '/configure', multipart({ username: 'short' }))).toEqual(
      refused,
    )
    expect(await asked(emulator, 'configure', '/configure', multipart())).toEqual(answered)
    expect(await asked(emulator, 'configure', '/configure', multipart())).toEqual(refused)
    for (let stage = 0; stage <= 13; stage += 1) {
      expect(await look()).toEqual(answered)
      now += 1000
    }
    expect(await look()).toEqual(answered)
    expect(emulator.world().counters.configure).toEqual({ received: 3, accepted: 1 })
  })

  test('on an update, before the site is ready and after', async () => {
    const emulator = await start({ stageMs: 0 })
    const update = (values: Readonly<Record<string, string>>) =>
      asked(emulator, 'update', operations.update.path, form(values))
    expect(await update({ upgradeConfig: policy, token: 't' })).toEqual(refused)
    expect(await asked(emulator, 'configure', '/configure', multipart())).toEqual(answered)
    expect(await update({ upgradeConfig: policy, token: 't' })).toEqual(answered)
    expect(await update({ upgradeConfig: policy })).toEqual(refused)
  })

  test.each<ServiceVersion>(['10.4', '10.8', '11.2'])('on an export, in version %s', async version => {
    const emulator = await start({ version, missingItems: true, unwritableLocations: ['/full'] })
    const exported = (values: Readonly<Record<string, string>>) =>
      asked(emulator, 'exportSite', '/exportSite', form(values))
    expect(await exported({ location: '/b' })).toEqual(answered)
    expect(await exported({ location: '/b', backupObjectStore: 'b', f: 'pjson' })).toEqual(answered)
    expect(await exported({ location: '/full' })).toEqual(refused)
    expect(await exported({ location: '/full', validate: 'true' })).toEqual(refused)
    expect(await exported({ f: 'xml' })).toEqual(refused)
    const validates = await exported({ location: '/b', validate: 'true' })
    expect(validates).toEqual(version === '11.2' ? answered : refused)
  })

  test('on a deletion of webhooks', async () => {
    const emulator = await start({ webhooks: { 'Roads.GPServer': 2 } })
    const remove = (path: string, values: Readonly<Record<string, string>>) =>
      asked(emulator, 'deleteAll', path, form(values))
    expect(await remove(service, { token: 't', f: 'json' })).toEqual(answered)
    expect(await remove(service, {})).toEqual(refused)
    expect(await remove(service.replace('Roads', 'Other'), { token: 't' })).toEqual(refused)
  })

  test('under another status than 200, too', async () => {
    const emulator = await start()
    expect(await asked(emulator, 'configure', '/configure')).toEqual(refused)
    expect(await asked(emulator, 'deleteAll', service)).toEqual(refused)
  })

  test('and would not with another answer', () => {
    const document = buildOpenApiDocument()
    const { schema } = mediaIn(objectIn(operationIn(document, 'root')['responses'])['200'])
    const judge = (body: JsonValue) => judgeOf(document)(objectIn(schema), body)
    const root = { fullVersion: '11.2.0', currentVersion: 11.2 }
    expect(judge({ ...root, status: { stages: [{ name: 'Pod replicas', state: 'completed' }] } })).toEqual([])
    expect(judge({ ...root, status: { stages: [{ name: 'Pod replicas', state: 'broken' }] } })).not.toEqual(
      [],
    )
    expect(judge({ ...root, status: { stages: [{ name: 'Tea', state: 'completed' }] } })).not.toEqual([])
    expect(judge({ status: 'success' })).not.toEqual([])
    expect(judge({ error: { code: '500', message: 'x' } })).not.toEqual([])
  })
})
