import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  type CredentialType,
  credentialTypeNames,
  credentialTypes,
  findWireName,
} from '../../src/contract/cloud.js'
import type { OperationName } from '../../src/contract/operation-name.js'
import { type Operation, operations } from '../../src/contract/operations.js'
import type { Parameter } from '../../src/contract/parameter.js'
import { includes, introductions, type ServiceVersion } from '../../src/contract/versions.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { formatProviderName } from '../../src/schema/openapi/cloud-components.js'
import { buildOpenApiDocument } from '../../src/schema/openapi/document.js'
import { changed, pointersIn, removed, valueAt } from '../support/manifest-value.js'
import { root } from '../support/manifests.js'
import { judgeOf, mediaIn, objectIn, operationIn, parametersIn } from '../support/openapi.js'

const newest = buildOpenApiDocument()
const names = Object.keys(operations) as OperationName[]
const versions: readonly ServiceVersion[] = [
  ...new Set(introductions.map(({ since }) => since)),
  '10.0',
  '12.0',
]
const parametersOf = (name: OperationName): readonly Parameter[] => operations[name].parameters
const everyParameter = names.flatMap(name => parametersOf(name).map(one => [name, one.name, one] as const))

/** Every object in a description, with its place. */
function objectsIn(document: JsonObject): readonly (readonly [string, JsonObject])[] {
  return pointersIn(document).flatMap(pointer => {
    const value = valueAt(document, pointer)
    return isObject(value) ? [[pointer, value] as const] : []
  })
}

describe('the description of the service', () => {
  test.each(versions)('is valid OpenAPI 3.1 for version %s', async version => {
    // The validator changes what it is given.
    const { valid, errors } = await new Validator().validate(structuredClone(buildOpenApiDocument(version)))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('would not be valid with an operation that answers nothing', async () => {
    const broken = removed(newest, '/paths/~1configure/post/responses/200/description')
    expect((await new Validator().validate(structuredClone(broken))).valid).toBe(false)
  })

  test('has every operation of the contract, once', () => {
    const found = Object.entries(objectIn(newest['paths'])).flatMap(([path, item]) =>
      Object.entries(objectIn(item)).map(([method, operation]) => {
        const { operationId, 'x-since': since, 'x-service-section': section } = objectIn(operation)
        return { name: operationId, method: method.toUpperCase(), path, since, section }
      }),
    )
    const wanted = names.map(name => {
      const { method, path, since, section } = operations[name]
      return { name, method, path: path === '' ? '/' : path, since, section }
    })
    expect(found).toEqual(wanted)
  })

  test.each(names)('has every parameter of %s, once, from where and when it is', name => {
    const found = Object.entries(parametersIn(newest, name)).map(([parameter, schema]) => [
      parameter,
      schema['x-since'],
      schema['x-service-section'],
      schema['x-variants'],
    ])
    const wanted = parametersOf(name).map(one => [one.name, one.since, one.section, one.variants])
    expect(found).toEqual(wanted)
  })

  test.each([
    ['configure', 'multipart/form-data'],
    ['update', 'application/x-www-form-urlencoded'],
    ['exportSite', 'application/x-www-form-urlencoded'],
    ['deleteAll', 'application/x-www-form-urlencoded'],
  ] as const)('sends %s as %s, with the parameters that it requires', (name, mediaType) => {
    const body = objectIn(operationIn(newest, name)['requestBody'])
    expect(Object.keys(objectIn(body['content']))).toEqual([mediaType])
    const { $ref } = objectIn(mediaIn(body)['schema'])
    const { required = [] } = objectIn(valueAt(newest, `/${String($ref).slice('#/'.length)}`))
    const wanted = parametersOf(name).filter(one => one.required === 'yes')
    expect(required).toEqual(wanted.map(one => one.name))
    expect(body['required'] === true).toBe(wanted.length > 0)
  })

  test('sends each part of configure as text, but for the file', () => {
    const { encoding } = mediaIn(operationIn(newest, 'configure')['requestBody'])
    const wanted = parametersOf('configure').map(one => [
      one.name,
      { contentType: one.encoding === 'file' ? 'application/octet-stream' : 'text/plain' },
    ])
    expect(encoding).toEqual(Object.fromEntries(wanted))
  })

  test('names the service of deleteAll in the path', () => {
    const parameters = operationIn(newest, 'deleteAll')['parameters'] as readonly JsonObject[]
    expect(parameters).toMatchObject([{ name: 'service', in: 'path', required: true }])
    const schema = objectIn(parameters[0]?.['schema'])
    for (const [service, right] of [
      ['Roads.GPServer', true],
      ['My Roads.FeatureServer', true],
      ['Roads', false],
    ])
      expect(judgeOf(newest)(schema, service as string).length === 0).toBe(right)
  })

  test.each(everyParameter)('marks of %s %s whether it is shown to be required', (name, parameter, entry) => {
    const { 'x-not-shown': open = '' } = parametersIn(newest, name)[parameter] ?? {}
    expect(String(open).includes('whether it is required')).toBe(entry.required === 'not-shown')
  })

  test.each(everyParameter)('hides %s %s just if it is a secret', (name, parameter, entry) => {
    const found = parametersIn(newest, name)[parameter] ?? {}
    expect(found['writeOnly']).toBe(entry.secret)
    const typed = entry.secret === true && entry.encoding !== 'file'
    expect(found['format'] === 'password').toBe(typed)
  })

  test('hides the secrets inside JSON parameters, too, in the spelling of the wire', () => {
    const inside = ['ContainerConnection', ...credentialTypeNames.map(formatProviderName)]
    const found = inside.flatMap(name =>
      objectsIn(objectIn(valueAt(newest, `/components/schemas/${name}`)))
        .filter(([, { writeOnly, format }]) => writeOnly === true && format === 'password')
        .map(([pointer]) => `${name} ${pointer.split('/').at(-1)}`),
    )
    const wanted = credentialTypeNames.flatMap(type => {
      const { secret }: CredentialType = credentialTypes[type]
      return secret
        .filter(({ confidential }) => confidential)
        .map(({ name }) => `${formatProviderName(type)} ${findWireName(type, name)}`)
    })
    expect(found).toEqual(['ContainerConnection accountKey', ...wanted])
  })

  test('marks what the service document does not show', () => {
    const marked = objectsIn(newest).flatMap(([pointer, value]) =>
      value['x-not-shown'] === undefined ? [] : [`${pointer}: ${value['x-not-shown']}`],
    )
    const at = (...[start, what]: [string, string]) =>
      marked.some(mark => mark.startsWith(start) && mark.includes(what))
    for (const name of ['ConfigureRequest', 'UpdateRequest', 'ExportSiteRequest', 'DeleteAllRequest'])
      expect(at(`/components/schemas/${name}/properties/f:`, 'the allowed values; the default')).toBe(true)
    expect(at('/paths/~1/get:', 'the method')).toBe(true)
    for (const path of ['~1/get', '~1configure/post', '~1system~1upgrades~1config~1update/post'])
      expect(at(`/paths/${path}/responses/default:`, 'error responses of this operation')).toBe(true)
    expect(at('/components/schemas/UpdateRequest/properties/token:', 'its lifetime')).toBe(true)
    expect(at('/components/schemas/ConfigureRequest:', 'a server license file')).toBe(true)
    expect(newest['x-not-shown']).toContain('security schemes')
    expect(
      objectsIn(newest).filter(([, value]) => 'security' in value || 'securitySchemes' in value),
    ).toEqual([])
  })

  test.each(versions)('has for version %s nothing that is younger, and all that is not', version => {
    const document = buildOpenApiDocument(version)
    const found = objectsIn(document).flatMap(([, { 'x-since': since }]) =>
      since === undefined ? [] : [since],
    )
    expect(found.filter(since => !includes(version, since as ServiceVersion))).toEqual([])
    const present = names.filter(name => includes(version, operations[name].since))
    expect(Object.keys(objectIn(document['paths']))).toHaveLength(present.length)
    for (const name of present)
      expect(Object.keys(parametersIn(document, name))).toEqual(
        parametersOf(name)
          .filter(({ since }) => includes(version, since))
          .map(one => one.name),
      )
  })

  test.each(versions)('refers in version %s to every schema it has, and to no other', version => {
    const document = buildOpenApiDocument(version)
    const used = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
    const { schemas } = objectIn(document['components'])
    expect([...new Set([...used].map(([, name]) => name))].sort()).toEqual(
      Object.keys(objectIn(schemas)).sort(),
    )
  })

  test('stands at the address that it is given', () => {
    const url = 'http://127.0.0.1:1234/x/admin'
    const [server] = buildOpenApiDocument('11.2', url)['servers'] as readonly JsonObject[]
    expect(server).toMatchObject({ url: '{base_url}', variables: { base_url: { default: url } } })
  })

  test('is made without any package, so that it may be served', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      if (!file.endsWith('.ts')) return
      const text = readFileSync(file, 'utf8')
      for (const [, to = ''] of text.matchAll(/^(?:import|export|\})[^'\n]*from '([^']+)'/gm))
        visit(to.startsWith('.') ? join(file, '..', to).replace(/\.js$/, '.ts') : to)
    }
    const folder = join(root, 'src', 'schema', 'openapi')
    for (const name of readdirSync(folder)) visit(join(folder, name))
    expect(reached.size).toBeGreaterThan(30)
    expect([...reached].filter(file => !file.startsWith(join(root, 'src')))).toEqual([])
  })
})

describe('the examples of the description', () => {
  const cases = versions.flatMap(version => {
    const document = buildOpenApiDocument(version)
    return names
      .filter(name => includes(version, operations[name].since))
      .flatMap(name => {
        const { requestBody, responses } = operationIn(document, name)
        const parts = [...(requestBody === undefined ? [] : [requestBody]), objectIn(responses)['200']]
        return parts.map(part => [version, name, document, mediaIn(part)] as const)
      })
  })

  test.each(cases)('fit their schemas in version %s: %s', (_, __, document, { schema, examples }) => {
    const judge = judgeOf(document)
    const values = Object.values(objectIn(examples)).map(example => objectIn(example)['value'] as JsonValue)
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(judge(objectIn(schema), value)).toEqual([])
    expect(new Set(values.map(value => JSON.stringify(value))).size).toBe(values.length)
  })

  test.each(names.filter(name => (operations[name] as Operation).body !== 'none'))(
    'use every parameter of %s',
    name => {
      const { examples } = mediaIn(operationIn(newest, name)['requestBody'])
      const used = Object.values(objectIn(examples)).flatMap(example =>
        Object.keys(objectIn(objectIn(example)['value'])),
      )
      expect([...new Set(used)].sort()).toEqual(
        parametersOf(name)
          .map(one => one.name)
          .sort(),
      )
    },
  )
})

describe('the schema of a body refuses', () => {
  const judge = judgeOf(newest)
  const example = (name: OperationName, which: string) =>
    objectIn(
      valueAt(objectIn(mediaIn(operationIn(newest, name)['requestBody'])['examples']), `/${which}/value`),
    )
  const schemaOf = (name: OperationName) =>
    objectIn(mediaIn(operationIn(newest, name)['requestBody'])['schema'])

  test.each<[string, OperationName, string, JsonValue | undefined]>([
    ['a body without a license', 'configure', 'licenseFile', undefined],
    ['a short user name', 'configure', 'username', 'admin'],
    ['a short password', 'configure', 'password', 'short-1'],
    ['a password without a digit', 'configure', 'password', 'no-digit-at-all'],
    ['a password without a letter', 'configure', 'password', '12345678'],
    ['a question that is not in the list', 'configure', 'securityQuestionIdx', 15],
    ['a parameter that holds no JSON', 'configure', 'logSettings', '{'],
    ['a structure where its text belongs', 'configure', 'logSettings', { logLevel: 'INFO' }],
    ['volumes without their wrapper', 'configure', 'volumesConfig', '[]'],
    ['a policy that is a list', 'update', 'upgradeConfig', '[]'],
  ])('%s', (_, name, parameter, value) => {
    const which = name === 'configure' ? 'full' : 'policy'
    const body = example(name, which)
    const broken =
      value === undefined ? removed(body, `/${parameter}`) : changed(body, `/${parameter}`, value)
    expect(judge(schemaOf(name), body)).toEqual([])
    expect(judge(schemaOf(name), broken)).not.toEqual([])
  })

  const structure = (name: OperationName, which: string, parameter: string) =>
    JSON.parse(String(example(name, which)[parameter])) as JsonValue
  const volumes = structure('configure', 'full', 'volumesConfig')
  const clouds = structure('configure', 'full', 'cloudConfig')
  const policy = structure('update', 'policy', 'upgradeConfig')
  const required =
    '/podPlacementPolicy/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0'

  test.each<[string, string, JsonValue]>([
    ['seven volumes', 'VolumesConfig', removed(volumes, '/volumesConfig/0')],
    ['a component twice', 'VolumesConfig', changed(volumes, '/volumesConfig/0/component', 'BLOB')],
    ['a component of another name', 'Volume', { component: 'GRAFANA' }],
    ['a label that is no text', 'Volume', { labels: { tier: 1 } }],
    ['a credential of another type', 'CloudConfig', changed(clouds, '/0/credential/type', 'PASSWORD')],
    ['the fields of another credential', 'CloudConfig', changed(clouds, '/0/credential/type', 'HMAC-KEYS')],
    [
      'a key in the spelling of the manifest',
      'CloudConfig',
      [
        changed(
          removed(objectIn((clouds as readonly JsonValue[])[0]), '/credential/secret/secret_key'),
          '/credential/secret/secretKey',
          'x',
        ),
      ],
    ],
    ['a role with a secret', 'IamRoleProvider', { credential: { type: 'IAM-ROLE', secret: {} } }],
    ['a profile of another name', 'ArchitectureProfile', { name: 'enhanced' }],
    [
      'an operator that Kubernetes has besides',
      'UpgradeConfig',
      changed(policy, `${required}/matchExpressions/0/operator`, 'Gt'),
    ],
    [
      'an effect of another name',
      'UpgradeConfig',
      changed(policy, '/podPlacementPolicy/tolerations/0/effect', 'Never'),
    ],
    [
      'another kind of affinity',
      'UpgradeConfig',
      changed(policy, '/podPlacementPolicy/nodeAffinity/preferred', {}),
    ],
  ])('%s', (_, name, value) => {
    expect(judge({ $ref: `#/components/schemas/${name}` }, value)).not.toEqual([])
  })

  test('none of these when they are right', () => {
    for (const [name, value] of [
      ['VolumesConfig', volumes],
      ['CloudConfig', clouds],
      ['UpgradeConfig', policy],
    ] as const)
      expect(judge({ $ref: `#/components/schemas/${name}` }, value)).toEqual([])
  })
})
