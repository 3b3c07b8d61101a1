import { smallestSizes } from '../../src/contract/field-notes.js'
import {
  findSchemaVersion,
  manifestVersions,
  newestReportedVersion,
  type ServiceVersion,
} from '../../src/contract/versions.js'
import { volumeComponents } from '../../src/contract/volumes.js'
import { findFieldSchema } from '../../src/schema/field-schema.js'
import { formatSource } from '../../src/schema/fields.js'
import type { JsonSchema } from '../../src/schema/json-schema.js'
import { buildManifestSchema } from '../../src/schema/manifest-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { buildEditorSchema, buildPublishedSchema, citeForEditors } from '../../src/schema/published-schema.js'
import { everyParameter, newerParameters } from '../support/every-field.js'

const carried = Object.values(everyParameter)
  .flatMap(parameters => Object.keys(parameters))
  .map(pointer => pointer.split('/')[2] ?? '')
/** The fields of `spec` in the newest version: those that become parameters, and two of Landform. */
const all = [...new Set([...carried, 'state', 'extra'])]
const schemas = [
  ...manifestVersions.map(version => [version, buildManifestSchema(version)] as const),
  ['editors', buildEditorSchema()] as const,
]

describe('the schema of a manifest', () => {
  const documented = ['10.9', '10.9.1', '11.1', '11.2'] as const
  test.each(documented)('has for %s every field except the later ones', version => {
    const later: readonly string[] = documented.slice(documented.indexOf(version) + 1)
    const younger = newerParameters.filter(({ since }) => later.includes(since)).map(({ name }) => name)
    const { properties = {}, additionalProperties } = buildManifestSchema(version).definitions?.['Spec'] ?? {}
    const missing = all.filter(name => !Object.hasOwn(properties, name))
    expect(missing.sort()).toEqual([...younger].sort())
    expect(Object.keys(properties).filter(name => !all.includes(name))).toEqual([])
    expect(additionalProperties).toBe(false)
  })

  test.each<[ServiceVersion, string | undefined]>([
    ['10.4', undefined],
    ['10.8.1', undefined],
    ['10.9', '10.9'],
    ['10.9.0', '10.9'],
    ['10.9.1', '10.9.1'],
    ['10.9.2', '10.9.1'],
    ['10.10', '10.9.1'],
    ['11.0', '10.9.1'],
    ['11.1', '11.1'],
    ['11.1.9', '11.1'],
    ['11.2', '11.2'],
    ['11.2.4', '11.2'],
    ['11.3', '11.3'],
    ['11.6', '11.5'],
    ['12.0.1', '12.0'],
    ['99.0', newestReportedVersion],
  ])(
    'for %s is that of %s: for a version in between the older one, for a later version the newest',
    (version, expected) => {
      expect(findSchemaVersion(version)).toBe(expected)
    },
  )

  test.each(schemas)('describes every field, for %s', (_, schema) => {
    const fields = fieldsOf(schema)
    const bare = fields.filter(
      ({ field }) => !isText(field.description) || !isText(field.markdownDescription),
    )
    expect(bare.map(({ path }) => path)).toEqual([])
    expect(fields.length).toBeGreaterThan(40)
  })

  test('links to public pages instead of the service document, for editors', () => {
    const editor = buildEditorSchema()
    expect(JSON.stringify(editor)).not.toContain('Service \u00a7')
    expect(editor.definitions?.['Administrator']?.properties?.['username']).toMatchObject({
      markdownDescription: expect.stringMatching(
        /\[Parameter `username` of `configure`, since 10\.9\]\(https:/,
      ),
    })
  })

  test.each(schemas.slice(0, -1))('has the source of every field, for %s', (_, schema) => {
    for (const { path, field } of fieldsOf(schema))
      expect([path, formatSource(field)]).toEqual([
        path,
        expect.stringMatching(/^(Service|Landform|Reported)/),
      ])
  })

  test.each(schemas)('describes each allowed value, for %s', (_, schema) => {
    const choices = fieldsOf(schema).filter(({ field }) => field.enum !== undefined)
    expect(choices.length).toBeGreaterThan(1)
    for (const { path, field } of choices) {
      expect([path, field.enumDescriptions?.length]).toEqual([path, field.enum?.length])
      expect(field.enumDescriptions?.every(isText)).toBe(true)
    }
  })

  test.each(schemas)('has the rule and the default of every field, for %s', (_, schema) => {
    for (const { field } of fieldsOf(schema)) {
      const { default: value, markdownDescription, patternErrorMessage: rule } = field
      if (value !== undefined) expect(markdownDescription).toContain('\n\nDefault: `')
      if (rule !== undefined) expect(markdownDescription).toContain(`\n\nMust ${rule}.`)
      if (field['x-reference'] !== undefined) expect(markdownDescription).toContain('{ env: LANDFORM_… }')
    }
  })

  test('has for each component the purpose of its volume, and the smallest reported size', () => {
    const shown = volumeComponents.map(name => {
      const { markdownDescription = '', 'x-shape': shape } = findFieldSchema(`/spec/volumes/${name}`)
      expect(markdownDescription).toMatch(/^This is the volume of .*Reported: /)
      expect(markdownDescription).toContain(`\`${smallestSizes[name]}\``)
      expect(shape).toBe('Volume')
      return markdownDescription.split(' Reported')[0]
    })
    expect(new Set(shown).size).toBe(8)
  })

  test.each(schemas)('has no unused and no missing definitions, for %s', (_, schema) => {
    const used = [...JSON.stringify(schema).matchAll(/"#\/definitions\/(\w+)"/g)].map(([, name]) => name)
    expect([...new Set(used)].sort()).toEqual(Object.keys(schema.definitions ?? {}).sort())
  })

  test('for editors has every field, and rejects those that are too new', () => {
    const editor = buildEditorSchema()
    const takenBack = (editor.allOf ?? []).map(({ then }) => {
      const spec = then?.properties?.['spec']
      return spec === undefined || spec === false ? [] : Object.keys(spec.properties ?? {})
    })
    expect(editor.definitions).toEqual(
      citeForEditors(buildPublishedSchema(newestReportedVersion)).definitions,
    )
    expect(takenBack).toEqual([
      ...newerParameters.map(({ name }) => [name]),
      ['deploymentProfiles'],
      ['profile', 'cloudStorage'],
    ])
  })
})

describe('the fields of a manifest have the documented and the reported types', () => {
  const provider = '/spec/cloudStorage/0'
  const policy = '/spec/upgrade/podPlacementPolicy'
  const expression = `${policy}/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0`

  test.each<[JsonPointer, string | readonly string[]]>([
    ['/spec/administrator/username', 'string'],
    ['/spec/administrator/email', 'string'],
    ['/spec/administrator/fullName', 'string'],
    ['/spec/administrator/firstName', 'string'],
    ['/spec/administrator/lastName', 'string'],
    ['/spec/administrator/description', 'string'],
    ['/spec/administrator/userType', 'string'],
    ['/spec/administrator/securityQuestion/index', 'integer'],
    ['/spec/license/file', 'string'],
    ['/spec/volumes/QUEUE/provisioningType', 'string'],
    ['/spec/volumes/QUEUE/size', 'string'],
    ['/spec/volumes/QUEUE/storageClass', 'string'],
    ['/spec/volumes/QUEUE/labels', 'object'],
    ['/spec/volumes/QUEUE/labels/tier', 'string'],
    ['/spec/cloudStorage', 'array'],
    [`${provider}/name`, 'string'],
    [`${provider}/credential`, 'object'],
    [`${provider}/credential/secret`, 'object'],
    [`${provider}/cloudServices`, 'array'],
    [`${provider}/cloudServices/0/name`, 'string'],
    [`${provider}/cloudServices/0/type`, 'string'],
    [`${provider}/cloudServices/0/usage`, 'string'],
    [`${provider}/cloudServices/0/category`, 'string'],
    [`${provider}/cloudServices/0/connection`, 'object'],
    [`${provider}/cloudServices/0/connection/bucketName`, 'string'],
    [`${provider}/cloudServices/0/connection/containerName`, 'string'],
    [`${provider}/cloudServices/0/connection/region`, 'string'],
    [`${provider}/cloudServices/0/connection/rootDir`, 'string'],
    ['/spec/dataStores', 'array'],
    ['/spec/dataStores/0/clientPath', 'string'],
    ['/spec/dataStores/0/type', 'string'],
    ['/spec/dataStores/0/info/fileServerHost', 'string'],
    ['/spec/dataStores/0/info/fileServerType', 'string'],
    ['/spec/dataStores/0/info/fileServerPath', 'string'],
    ['/spec/folders', ['string', 'array']],
    ['/spec/logLevel', 'string'],
    ['/spec/systemProperties', 'object'],
    [policy, 'object'],
    [`${policy}/nodeAffinity`, 'object'],
    [`${policy}/tolerations`, 'array'],
    [`${policy}/tolerations/0/key`, 'string'],
    [`${policy}/tolerations/0/value`, 'string'],
    [`${expression}/key`, 'string'],
    [`${expression}/values`, 'array'],
    [`${expression}/values/0`, 'string'],
  ])('%s: %j', (pointer, type) => {
    expect(findFieldSchema(pointer).type).toEqual(type)
  })

  test.each<[JsonPointer, readonly string[]]>([
    ['/spec/profile', ['enhanced-availability', 'standard-availability', 'development']],
    [
      `${provider}/credential/type`,
      [
        'IAM-ROLE',
        'ACCESS-KEY',
        'MANAGED-IDENTITY',
        'STORAGE-ACCOUNT-KEY',
        'HMAC-KEYS',
        'SYSTEM-ASSIGNED-IDENTITY',
        'USER-ASSIGNED-IDENTITY',
      ],
    ],
    [`${expression}/operator`, ['In', 'NotIn', 'Exists', 'DoesNotExist']],
    [`${policy}/tolerations/0/operator`, ['Exists', 'Equal']],
    [`${policy}/tolerations/0/effect`, ['NoExecute', 'NoSchedule', 'PreferNoSchedule']],
  ])('%s: one of %j', (pointer, values) => {
    expect(findFieldSchema(pointer).enum).toEqual(values)
  })

  test.each<[JsonPointer, string]>([
    ['/spec/profile', 'standard-availability'],
    ['/spec/volumes/QUEUE/provisioningType', 'DYNAMIC'],
    [`${provider}/cloudServices/0/type`, 'objectStore'],
    [`${provider}/cloudServices/0/usage`, 'DEFAULT'],
    [`${provider}/cloudServices/0/category`, 'storage'],
  ])('%s: %s if it is omitted', (pointer, value) => {
    expect(findFieldSchema(pointer).default).toBe(value)
  })

  test.each<JsonPointer>([
    '/spec/site/token',
    '/spec/administrator/password',
    '/spec/administrator/securityQuestion/answer',
    `${provider}/credential/secret/accessKey`,
    `${provider}/credential/secret/secretKey`,
    `${provider}/credential/secret/storageAccountKey`,
  ])('%s: only a reference', pointer => {
    expect(findFieldSchema(pointer)).toMatchObject({ type: 'object', 'x-reference': 'secret' })
  })

  test('the name of a storage account may be text or a reference', () => {
    expect(findFieldSchema(`${provider}/credential/secret/storageAccountName`)).toMatchObject({
      type: ['string', 'object'],
      'x-reference': 'text-or-secret',
    })
  })

  test('the number of a secret question goes from 1 to 14', () => {
    const index = findFieldSchema('/spec/administrator/securityQuestion/index')
    expect(index).toMatchObject({ minimum: 1, maximum: 14 })
  })

  test.each<JsonPointer>(['/spec/unheardOf', '/spec/site/url/x', '/constructor', '/spec/toString'])(
    '%s has none, since there is no such field',
    pointer => {
      expect(findFieldSchema(pointer)).toEqual({})
    },
  )
})

interface Found {
  readonly path: string
  readonly field: JsonSchema
}

/** Every field of a schema at any depth, except for the parts that rules report better. */
function fieldsOf(schema: JsonSchema): readonly Found[] {
  const resolved = (field: JsonSchema) =>
    schema.definitions?.[field.$ref?.slice('#/definitions/'.length) ?? ''] ?? field
  const below = (node: JsonSchema, path: string): readonly Found[] => {
    if (node.$comment?.startsWith('said by rule ') === true) return []
    const fields = Object.entries(node.properties ?? {}).flatMap(([name, field]) =>
      field === false ? [] : [{ path: `${path}/${name}`, field }],
    )
    const inner = [
      ...Object.entries(node.definitions ?? {}),
      ...(node.allOf ?? []).map((part, index) => [`allOf/${index}`, part] as const),
      ...(node.oneOf ?? []).map((part, index) => [`oneOf/${index}`, part] as const),
      ...(node.then === undefined ? [] : [['then', node.then] as const]),
      ...(node.items === undefined ? [] : [['items', node.items] as const]),
    ]
    return [
      ...fields.map(({ path, field }) => ({ path, field: resolved(field) })),
      ...fields.flatMap(({ path, field }) => below(field, path)),
      ...inner.flatMap(([name, part]) => below(part, `${path}/${name}`)),
    ]
  }
  return below(schema, '')
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
