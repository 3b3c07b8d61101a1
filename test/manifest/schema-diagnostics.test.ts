import { demand, preference } from '../../src/contract/placement.js'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { redactText } from '../../src/manifest/redacted-text.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import { findFieldSchema, listFieldPointers } from '../../src/schema/field-schema.js'
import { isObject, type JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import {
  aCloudProvider,
  aManifest,
  aSource,
  type Changes,
  diagnosticsOf,
  problemsOf,
  sourceOf,
} from '../support/changed-manifest.js'
import { aVolume } from '../support/manifest-value.js'

const administrator = '/spec/administrator'
const isError = ({ severity }: Diagnostic) => severity === 'error'

describe('a limit that is not in the service document', () => {
  test.each([
    '/spec/administrator/description',
    '/spec/administrator/fullName',
    '/spec/administrator/userType',
    '/spec/logLevel',
  ] as const)("is very large for %s, and named as Landform's own", pointer => {
    const of = (length: number) => diagnosticsOf({ [pointer]: 'x'.repeat(length) }).filter(isError)
    expect(of(65_536)).toEqual([])
    const [diagnostic, ...more] = of(65_537)
    expect([more, diagnostic?.code]).toEqual([[], 'manifest/malformed-value'])
    expect(diagnostic?.message).toMatch(/ must have at most 65536 characters \(a limit of Landform\)$/)
  })

  test('is not named as such for the pattern of site names', () => {
    const [diagnostic] = diagnosticsOf({ '/metadata/name': 'x'.repeat(254) })
    expect(diagnostic?.message).toBe('`name` must have at most 253 characters')
  })
})

test.each([
  ['/spec/architectureProfile', '/spec/profile', 'did you mean `profile`?'],
  ['/spec/systemArchitectureProfile', '/spec/profile', 'in a manifest use `spec.profile`'],
  ['/spec/persistentVolumes', '/spec/volumes', 'did you mean `volumes`?'],
  ['/spec/licenseFilePath', '/spec/license', 'did you mean `license`?'],
  ['/spec/administrator/userLicenseType', '/spec/administrator/userType', 'did you mean `userType`?'],
  ['/spec/adminUsername', undefined, 'did you mean `spec.administrator.username`?'],
] as const)(
  '%s resembles a name of the service, and the help has the name in manifests',
  (pointer, meant, help) => {
    const [diagnostic] = diagnosticsOf({ ...(meant && { [meant]: undefined }), [pointer]: 'text' })
    expect(diagnostic?.help).toContain(help)
  },
)

test.each([
  ['/spec/administrator/securityQuestion/index', 15, 'list the questions: `landform explain'],
  ['/spec/administrator/securityQuestion/index', '13', 'remove the quotes: 13'],
  ['/metadata/name', 'Production_EU', 'write `production-eu`'],
])('%s with %j has help', (pointer, value, help) => {
  const [diagnostic] = diagnosticsOf({ [pointer]: value })
  expect(diagnostic?.help).toContain(help)
})

describe('fields', () => {
  test('that are misspelt are not missing as well', () => {
    const [diagnostic, ...more] = diagnosticsOf({
      [`${administrator}/email`]: undefined,
      [`${administrator}/emial`]: 'admin@example.org',
    })
    expect(more).toEqual([])
    expect(diagnostic).toMatchObject({ code: 'manifest/unknown-field', pointer: `${administrator}/emial` })
    expect(diagnostic?.help).toContain('`email`')
  })

  test('that are missing from the same map are reported together', () => {
    const [diagnostic, ...more] = diagnosticsOf({
      [`${administrator}/email`]: undefined,
      [`${administrator}/fullName`]: undefined,
      [`${administrator}/userType`]: undefined,
    })
    expect(more).toEqual([])
    expect(diagnostic).toMatchObject({ code: 'manifest/missing-field', pointer: administrator })
    for (const name of ['`administrator`', '`email`', '`fullName`', '`userType`'])
      expect(diagnostic?.message).toContain(name)
  })

  test('that are missing from two maps are reported twice', () => {
    expect(problemsOf({ '/metadata/name': undefined, '/spec/license/file': undefined })).toEqual([
      'manifest/missing-field /metadata',
      'manifest/missing-field /spec/license',
    ])
  })

  test('that an element lacks are reported with the name of its list and its number', () => {
    const [diagnostic] = diagnosticsOf({
      '/spec/cloudStorage': [
        aCloudProvider(
          { type: 'IAM-ROLE' },
          { bucketName: 'gis-objects', rootDir: 'x', region: 'eu-west-1' },
        ),
        {},
      ],
    })
    expect(diagnostic?.message).toMatch(/^`cloudStorage\[1\]` is missing /)
  })

  test('that exist already are not suggested', () => {
    const [diagnostic] = diagnosticsOf({ [`${administrator}/emails`]: 'x' })
    expect(diagnostic?.code).toBe('manifest/unknown-field')
    expect(diagnostic?.help).not.toContain('`email`?')
  })

  test('that resemble none lead to a list of the allowed ones', () => {
    const [diagnostic] = diagnosticsOf({ '/metadata/owner': 'x' })
    expect(diagnostic?.help).toContain('`name`')
    expect(diagnostic?.help).toContain('`labels`')
  })

  test.each(['__defineGetter__', 'constructor', 'toString', 'hasOwnProperty'])('have no %s', name => {
    expect(problemsOf({ [`/spec/site/${name}`]: 'x' })).toEqual([`manifest/unknown-field /spec/site/${name}`])
  })

  test('a misspelt volume is not missing as well', () => {
    expect(
      problemsOf({
        '/spec/volumes/QUEUE': undefined,
        '/spec/volumes/queu': aVolume(),
      }),
    ).toEqual(['manifest/unknown-field /spec/volumes/queu'])
  })
})

describe('a value of the wrong type', () => {
  test.each<[string, Changes, string, string]>([
    ['text instead of a map', { '/spec/license': 'a' }, '/spec/license', 'a map'],
    ['a list instead of a map', { '/spec/license': [] }, '/spec/license', 'a map'],
    ['nothing instead of a map', { '/spec/volumes': null }, '/spec/volumes', 'a map'],
    ['a map instead of a list', { '/spec/dataStores': {} }, '/spec/dataStores', 'a list'],
    ['a map instead of text', { '/spec/logLevel': {} }, '/spec/logLevel', 'text'],
    ['a number instead of text or a list', { '/spec/folders': 7 }, '/spec/folders', 'text or a list'],
    [
      'text instead of a number',
      { [`${administrator}/securityQuestion/index`]: '13' },
      `${administrator}/securityQuestion/index`,
      'a whole number',
    ],
    [
      'a fraction instead of an integer',
      { [`${administrator}/securityQuestion/index`]: 1.5 },
      `${administrator}/securityQuestion/index`,
      'a whole number',
    ],
    ['a number in a list of text', { '/spec/folders': ['/a', 7] }, '/spec/folders/1', 'text'],
    ['a number among labels', { '/metadata/labels': { cost: 7 } }, '/metadata/labels/cost', 'text'],
  ])('%s', (_, changes, pointer, expected) => {
    const [diagnostic, ...more] = diagnosticsOf(changes)
    expect(more).toEqual([])
    expect(diagnostic).toMatchObject({ code: 'manifest/wrong-type', pointer })
    expect(diagnostic?.message).toContain(`must be ${expected}, but`)
  })

  test.each(['11.2', '11.10', '10.90', 'true', '0x11', '1e1', '012', '0.5e2'])(
    'is shown in quotes exactly as it was written: %s',
    written => {
      const text = JSON.stringify(aManifest()).replace('"Site Administrator"', ` ${written}`)
      const { diagnostics } = loadManifest(aSource(text))
      expect(diagnostics.map(({ code }) => code)).toEqual(['manifest/wrong-type'])
      expect(diagnostics[0]?.help).toContain(`"${written}"`)
    },
  )

  test('has no suggested spelling if none is obvious', () => {
    expect(diagnosticsOf({ [`${administrator}/fullName`]: null })[0]?.help).toBeUndefined()
    expect(diagnosticsOf({ '/spec/logLevel': [] })[0]?.help).toBeUndefined()
    expect(diagnosticsOf({ '/metadata/labels': { cost: -5 } })[0]?.help).toBeUndefined()
  })

  test('has help with the fields of the expected map', () => {
    expect(diagnosticsOf({ '/spec/license': 7 })[0]?.help).toBe('write `{ file: licenses/site.json }`')
    const required = [{ matchExpressions: [] }]
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required }
    const [diagnostic, ...more] = diagnosticsOf({ '/spec/upgrade': { podPlacementPolicy: { nodeAffinity } } })
    expect(more).toEqual([])
    expect(diagnostic?.help).toBe(
      'write `{ nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: In, values: [upgrades] }] }] }`',
    )
  })

  const isNested = (pointer: JsonPointer) =>
    ['object', 'array'].includes(String(findFieldSchema(pointer).type)) &&
    findFieldSchema(pointer)['x-reference'] === undefined
  const nested = listFieldPointers().filter(pointer => isNested(pointer) && !pointer.includes('/0'))

  test.each(nested)('has help with a valid example: %s', pointer => {
    const wrongTypes = (value: JsonValue) =>
      diagnosticsOf({ [pointer]: value }).filter(one => isError(one) && !one.code.startsWith('version/'))
    const [, yaml = ''] = /^write `(.+)`$/.exec(wrongTypes(7)[0]?.help ?? '') ?? []
    const value = parseYaml(aSource(`value: ${yaml}`)).document?.value
    if (yaml.includes('…')) expect(yaml).toMatch(/, … \}/)
    else expect(wrongTypes(isObject(value) ? (value['value'] ?? null) : null)).toEqual([])
  })

  test.each([
    ['16', 'add a unit: 16Gi'],
    ['1.5', 'add a unit: 1.5Gi'],
    ['0', 'use text such as "16Gi"'],
    ['-16', 'use text such as "16Gi"'],
    ['0x10', 'use text such as "16Gi"'],
  ])('is a size without its unit: %s', (written, help) => {
    const text = JSON.stringify(aManifest()).replace('"32Gi"', ` ${written}`)
    const { diagnostics } = loadManifest(aSource(text))
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({ code: 'manifest/wrong-type', help })
    expect(diagnostics[0]?.fix).toBeUndefined()
  })
})

describe('a section in another form', () => {
  const volume = { size: '16Gi', storageClass: 'gp3' }
  const policy = '/spec/upgrade'
  const groups = ['relational', 'object', 'memory', 'queue', 'indexer', 'sharing', 'prometheus']
  test.each<[string, JsonPointer, JsonValue, string]>([
    [
      'a list of volumes',
      '/spec/volumes',
      [{ component: 'BLOB', ...volume }],
      '{ RELATIONAL_PRIMARY: { size: ',
    ],
    [
      'volumes in groups',
      '/spec/volumes',
      Object.fromEntries(groups.map(name => [name, volume])),
      '{ RELATIONAL_PRIMARY: { size: ',
    ],
    [
      'volumes with a wrapper',
      '/spec/volumes',
      { volumesConfig: [{ component: 'BLOB', ...volume }] },
      '{ RELATIONAL_PRIMARY: { size: ',
    ],
    [
      'a volume',
      '/spec/volumes/BLOB',
      { type: 'DYNAMIC', class: 'gp3', label1: 'a=b' },
      '{ size: 32Gi, storageClass: gp3 }',
    ],
    [
      'a pod affinity',
      policy,
      { podPlacementPolicy: { affinity: { nodeAffinity: {} }, nodeSelector: { pool: 'a' } } },
      '{ nodeAffinity: { ',
    ],
    [
      'matchLabels',
      policy,
      {
        podPlacementPolicy: {
          nodeAffinity: { [demand]: { nodeSelectorTerms: [{ matchLabels: { a: 'b' } }] } },
        },
      },
      '{ matchExpressions: [{ key: pool, ',
    ],
    [
      'one preference without a list',
      policy,
      { podPlacementPolicy: { nodeAffinity: { [preference]: { weight: 5, preference: {} } } } },
      '{ nodeSelectorTerms: [',
    ],
    ['taints', policy, { podPlacementPolicy: { tolerations: 'a=b:NoSchedule' } }, '[{ key: dedicated, '],
    ['a taint', policy, { podPlacementPolicy: { tolerations: ['a:NoSchedule'] } }, '{ key: dedicated, '],
    ['cloud storage as a map', '/spec/cloudStorage', { bucket: 'a' }, '[{ name: AWS, credential: '],
    [
      'other cloud storage',
      '/spec/cloudStorage',
      [{ provider: 'AWS', bucket: 'a' }],
      '{ name: AWS, credential: ',
    ],
  ])('is one error with the form in manifests, and no fix: %s', (_, pointer, value, example) => {
    const found = diagnosticsOf({ [pointer]: value }).filter(isError)
    expect(found).toMatchObject([
      { code: 'manifest/wrong-type', help: expect.stringContaining(`write \`${example}`) },
    ])
    expect(found[0]?.fix).toBeUndefined()
  })

  test('keeps diagnostics for single misspelt fields', () => {
    expect(diagnosticsOf({ '/spec/volumes/object': volume })).toMatchObject([
      { code: 'manifest/unknown-field', help: expect.stringContaining('allowed here: `RELATIONAL_PRIMARY`') },
    ])
  })
})

describe('a value out of range', () => {
  const index = `${administrator}/securityQuestion/index` as const
  test.each<[string, Changes, string]>([
    ['a question before the first', { [index]: 0 }, `manifest/malformed-value ${index}`],
    ['a question after the last', { [index]: 15 }, `manifest/malformed-value ${index}`],
    ['a name in capitals', { '/metadata/name': 'Production' }, 'manifest/malformed-value /metadata/name'],
    ['a name that ends with a hyphen', { '/metadata/name': 'a-' }, 'manifest/malformed-value /metadata/name'],
    ['an empty file name', { '/spec/license/file': '' }, 'manifest/malformed-value /spec/license/file'],
    [
      'a version of one number',
      { '/spec/site/version': '11' },
      'manifest/malformed-value /spec/site/version',
    ],
    [
      'a version of four numbers',
      { '/spec/site/version': '11.2.0.1' },
      'manifest/malformed-value /spec/site/version',
    ],
    [
      'a version with words',
      { '/spec/site/version': '11.2 beta' },
      'manifest/malformed-value /spec/site/version',
    ],
    ['another format', { '/apiVersion': 'landform.dev/v2' }, 'manifest/value-not-allowed /apiVersion'],
    ['an unknown profile', { '/spec/profile': 'production' }, 'manifest/value-not-allowed /spec/profile'],
    ['no profile', { '/spec/profile': null }, 'manifest/value-not-allowed /spec/profile'],
  ])('%s', (_, changes, expected) => {
    expect(problemsOf(changes)).toEqual([expected])
  })

  test('the nearest allowed value is suggested', () => {
    expect(diagnosticsOf({ '/spec/profile': 'Standard Availability' })[0]?.help).toContain(
      '`standard-availability`',
    )
  })
})

describe('a secret', () => {
  const provider = (secret: JsonValue) => ({
    '/spec/cloudStorage': [aCloudProvider({ type: 'HMAC-KEYS', secret }, { bucketName: 'gis' })],
  })
  const other = { env: 'LANDFORM_OTHER' }
  const inCloud = '/spec/cloudStorage/0/credential/secret'

  test("in another tool's variable has a suggested replacement", () => {
    const [found] = diagnosticsOf(provider({ accessKey: { env: 'AWS_ACCESS_KEY_ID' }, secretKey: other }))
    expect(found?.help).toContain('{ env: LANDFORM_ACCESS_KEY }')
    expect(found?.help).toContain('LANDFORM_ACCESS_KEY="$AWS_ACCESS_KEY_ID"')
  })

  test.each<[string, Changes, string]>([
    ['text', { '/spec/site/token': 'hunter2' }, 'secret/literal /spec/site/token'],
    ['a number', { [`${administrator}/password`]: 90210 }, `secret/literal ${administrator}/password`],
    ['a boolean', { [`${administrator}/password`]: true }, `secret/literal ${administrator}/password`],
    [
      'in the cloud',
      provider({ accessKey: other, secretKey: 'hunter2' }),
      `secret/literal ${inCloud}/secretKey`,
    ],
    ['nothing', { '/spec/site/token': null }, 'secret/reference /spec/site/token'],
    ['a list', { '/spec/site/token': ['hunter2'] }, 'secret/reference /spec/site/token'],
    ['an empty map', { '/spec/site/token': {} }, 'secret/reference /spec/site/token'],
    [
      'two references',
      { '/spec/site/token': { env: 'LANDFORM_A', file: 'a' } },
      'secret/reference /spec/site/token',
    ],
    [
      "another program's variable",
      { '/spec/site/token': { env: 'HOME' } },
      'manifest/malformed-value /spec/site/token/env',
    ],
    [
      'a variable in lower case',
      { '/spec/site/token': { env: 'landform_a' } },
      'manifest/malformed-value /spec/site/token/env',
    ],
    [
      'a variable with nothing after the prefix',
      { '/spec/site/token': { env: 'LANDFORM_' } },
      'manifest/malformed-value /spec/site/token/env',
    ],
    [
      'an empty file name',
      { '/spec/site/token': { file: '' } },
      'manifest/malformed-value /spec/site/token/file',
    ],
  ])('must be a reference, not %s', (_, changes, expected) => {
    expect(problemsOf(changes)).toEqual([expected])
  })

  test('may be in a variable or in a file', () => {
    expect(
      problemsOf({ '/spec/site/token': { file: 'secrets/token' }, [`${administrator}/password`]: other }),
    ).toEqual([])
  })

  test('has a suggested variable', () => {
    const [diagnostic] = diagnosticsOf({ [`${administrator}/securityQuestion/answer`]: 'hunter2' })
    expect(diagnostic?.help).toContain('{ env: LANDFORM_SECURITY_ANSWER }')
    const [inTheCloud] = diagnosticsOf(provider({ accessKey: other, secretKey: 'hunter2' }))
    expect(inTheCloud?.help).toContain('{ env: LANDFORM_SECRET_KEY }')
  })

  test.each<[string, Changes, string]>([
    ['text', { '/spec/site/token': 'hunter2' }, 'hunter2'],
    ['a number', { [`${administrator}/password`]: 90210 }, '90210'],
    ['in a list', { [`${administrator}/password`]: ['hunter2'] }, 'hunter2'],
    ['a variable', { [`${administrator}/password`]: { env: 'hunter2' } }, 'hunter2'],
    ['a variable that is a number', { [`${administrator}/password`]: { env: 90210 } }, '90210'],
    ['a file that is a number', { [`${administrator}/password`]: { file: 90210 } }, '90210'],
    ['a field', { [`${administrator}/password`]: { hunter2: null } }, 'hunter2'],
    ['a field and its value', { [`${administrator}/password`]: { hunter2: 'hunter2' } }, 'hunter2'],
    [
      'next to a reference',
      { [`${administrator}/password`]: { env: 'LANDFORM_A', value: 'hunter2' } },
      'hunter2',
    ],
    ['misspelt', { [`${administrator}/pasword`]: 'hunter2' }, 'hunter2'],
    ['under an unknown field', { '/spec/smtp': { password: 'hunter2' } }, 'hunter2'],
    ['instead of a whole cloud secret', provider('hunter2'), 'hunter2'],
    ['a number instead of a whole cloud secret', provider(90210), '90210'],
    ['in the spelling of the service', provider({ access_key: 'hunter2', secret_key: 'hunter2' }), 'hunter2'],
    ['under the name of the parameter', { '/spec/extra': { securityQuestionAns: 'hunter2' } }, 'hunter2'],
    ['in the URL', { '/spec/site/url': 'https://someone:hunter2@gis.example.org' }, 'hunter2'],
  ])('is neither in messages nor in the displayed text: %s', (_, changes, secret) => {
    const source = sourceOf(aManifest(changes))
    const { diagnostics } = loadManifest(source)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(JSON.stringify(diagnostics)).not.toContain(secret)
    expect(redactText(source)).toContain('siteadmin')
    expect(redactText(source)).not.toContain(secret)
  })
})

test.each([
  ['/spec/volumesConfig', 'spec.volumes', '/spec/volumes'],
  ['/spec/administrator/userLicenseTypeId', 'spec.administrator.userType', '/spec/administrator/userType'],
  ['/spec/systemArchitectureProfile', 'spec.profile', '/spec/profile'],
] as const)(
  "the service's own name %s leads to that of the manifest, in one diagnostic",
  (pointer, home, ours) => {
    const [only, ...others] = diagnosticsOf({ [pointer]: 'x', [ours]: undefined })
    expect(others).toEqual([])
    expect(only).toMatchObject({
      code: 'manifest/unknown-field',
      pointer,
      help: expect.stringContaining(home),
    })
  },
)
