import { type CredentialTypeName, credentialTypeNames } from '../../src/contract/cloud.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { aFullManifest, changed, diagnosticsOf, removed, renamed } from '../support/manifest-value.js'

const provider = '/spec/cloudStorage/0'
const credential = `${provider}/credential` as const
const secret = `${credential}/secret` as const
const service = `${provider}/cloudServices/0` as const
const connection = `${service}/connection` as const

type Mistake = (manifest: JsonObject) => JsonObject
type Row = readonly [mistake: string, Mistake, code: string, pointer: JsonPointer]

const set =
  (pointer: JsonPointer, value: JsonValue): Mistake =>
  manifest =>
    changed(manifest, pointer, value)
const drop =
  (pointer: JsonPointer): Mistake =>
  manifest =>
    removed(manifest, pointer)
const rename =
  (pointer: JsonPointer, name: string): Mistake =>
  manifest =>
    renamed(manifest, pointer, name)
const reference = { env: 'LANDFORM_X' }

/** The mistakes that can be made with any credential type. */
const ofAny: readonly Row[] = [
  ['no type', drop(`${credential}/type`), 'manifest/missing-field', credential],
  [
    'an unheard-of type',
    set(`${credential}/type`, 'PASSWORD'),
    'manifest/value-not-allowed',
    `${credential}/type`,
  ],
  [
    'a type in lower case',
    set(`${credential}/type`, 'hmac-keys'),
    'manifest/value-not-allowed',
    `${credential}/type`,
  ],
  [
    'a type that is no text',
    set(`${credential}/type`, 5),
    'manifest/value-not-allowed',
    `${credential}/type`,
  ],
  ['an empty type', set(`${credential}/type`, null), 'manifest/value-not-allowed', `${credential}/type`],
  [
    'a misspelt type field',
    rename(`${credential}/type`, 'typ'),
    'manifest/unknown-field',
    `${credential}/typ`,
  ],
  ['a field beside it', set(`${credential}/role`, 'x'), 'manifest/unknown-field', `${credential}/role`],
  ['a secret in text', set(secret, 'hunter2'), 'manifest/wrong-type', secret],
  ['an empty secret', set(secret, null), 'manifest/wrong-type', secret],
  ['a secret in a list', set(secret, []), 'manifest/wrong-type', secret],
  ['no credential', drop(credential), 'manifest/missing-field', provider],
  ['a credential in text', set(credential, 'ACCESS-KEY'), 'manifest/wrong-type', credential],
  ['no name', drop(`${provider}/name`), 'manifest/missing-field', provider],
  ['no services', drop(`${provider}/cloudServices`), 'manifest/missing-field', provider],
  [
    'an empty list of services',
    set(`${provider}/cloudServices`, []),
    'manifest/malformed-value',
    `${provider}/cloudServices`,
  ],
  ['a service without a name', drop(`${service}/name`), 'manifest/missing-field', service],
  ['a service without a connection', drop(connection), 'manifest/missing-field', service],
  ['a connection in text', set(connection, 'gis-objects'), 'manifest/wrong-type', connection],
  ['an empty connection', set(connection, {}), 'cloud/connection-fields', connection],
  [
    'a stranger in the connection',
    set(`${connection}/port`, '1'),
    'manifest/unknown-field',
    `${connection}/port`,
  ],
  [
    'a folder that is a number',
    set(`${connection}/rootDir`, 5),
    'manifest/wrong-type',
    `${connection}/rootDir`,
  ],
  [
    'a folder without a name',
    set(`${connection}/rootDir`, ''),
    'manifest/malformed-value',
    `${connection}/rootDir`,
  ],
]

/** The mistakes with the two connection fields that name the place. */
function ofConnection(mine: 'bucketName' | 'containerName'): readonly Row[] {
  const other = mine === 'bucketName' ? 'containerName' : 'bucketName'
  const misspelt = mine.toLowerCase()
  return [
    [`no ${mine}`, drop(`${connection}/${mine}`), 'cloud/connection-fields', connection],
    [`${other} too`, set(`${connection}/${other}`, 'gis'), 'cloud/connection-fields', connection],
    [`${other} instead`, rename(`${connection}/${mine}`, other), 'cloud/connection-fields', connection],
    [
      `${mine} misspelt`,
      rename(`${connection}/${mine}`, misspelt),
      'manifest/unknown-field',
      `${connection}/${misspelt}`,
    ],
    [
      `${mine} without text`,
      set(`${connection}/${mine}`, null),
      'manifest/wrong-type',
      `${connection}/${mine}`,
    ],
  ]
}

/** The mistakes with one field of `secret` that is a reference. */
function ofKey(name: string): readonly Row[] {
  const at = `${secret}/${name}` as const
  return [
    [`no ${name}`, drop(at), 'cloud/secret-fields', secret],
    [`${name} misspelt`, rename(at, `${name}s`), 'manifest/unknown-field', `${at}s`],
    [`a stranger for ${name}`, rename(at, 'key_of_account'), 'cloud/secret-fields', secret],
    [`${name} written out`, set(at, 'hunter2'), 'secret/literal', at],
    [`${name} written out as a number`, set(at, 12345678), 'secret/literal', at],
    [`${name} empty`, set(at, null), 'secret/reference', at],
    [`${name} from nowhere`, set(at, {}), 'secret/reference', at],
    [`${name} from two places`, set(at, { ...reference, file: 'x' }), 'secret/reference', at],
    [`${name} from a stranger's variable`, set(at, { env: 'HOME' }), 'manifest/malformed-value', `${at}/env`],
    [`${name} from outside the folder`, set(at, { file: '../x' }), 'file/path', `${at}/file`],
  ]
}

const accountName: readonly Row[] = [
  ['no account name', drop(`${secret}/storageAccountName`), 'cloud/secret-fields', secret],
  [
    'an account name that is a number',
    set(`${secret}/storageAccountName`, 5),
    'manifest/wrong-type',
    `${secret}/storageAccountName`,
  ],
  [
    'an account name from nowhere',
    set(`${secret}/storageAccountName`, {}),
    'secret/reference',
    `${secret}/storageAccountName`,
  ],
]

/** The mistakes with `secret` where there has to be one. */
const ofSecret: readonly Row[] = [
  ['no secret', drop(secret), 'cloud/secret-fields', credential],
  ['a misspelt secret', rename(secret, 'secrets'), 'manifest/unknown-field', `${credential}/secrets`],
  ['a stranger in the secret', set(`${secret}/pin`, reference), 'cloud/secret-fields', secret],
  ['a secret without fields', set(secret, {}), 'cloud/secret-fields', secret],
]
const noRegion: Row = [
  'a region',
  set(`${connection}/region`, 'eu-west-1'),
  'cloud/connection-fields',
  connection,
]

const rows = {
  'IAM-ROLE': [
    ['a secret all the same', set(secret, { accessKey: reference }), 'cloud/secret-fields', secret],
    ['a secret without fields', set(secret, {}), 'cloud/secret-fields', secret],
    ...ofConnection('bucketName'),
  ],
  'ACCESS-KEY': [
    ...ofSecret,
    ...ofKey('accessKey'),
    ...ofKey('secretKey'),
    [
      'the spelling of the wire',
      rename(`${secret}/secretKey`, 'secret_key'),
      'manifest/unknown-field',
      `${secret}/secret_key`,
    ],
    ['the key of another type', set(`${secret}/storageAccountKey`, reference), 'cloud/secret-fields', secret],
    ['the wrong type', set(`${credential}/type`, 'IAM-ROLE'), 'cloud/secret-fields', secret],
    ...ofConnection('bucketName'),
    [
      'the bucket spelt as on the wire',
      rename(`${connection}/bucketName`, 'bucket_name'),
      'manifest/unknown-field',
      `${connection}/bucket_name`,
    ],
  ],
  'MANAGED-IDENTITY': [
    ...ofSecret,
    ...accountName,
    ['the key of another type', set(`${secret}/storageAccountKey`, reference), 'cloud/secret-fields', secret],
    ['the wrong type', set(`${credential}/type`, 'STORAGE-ACCOUNT-KEY'), 'cloud/secret-fields', secret],
    ...ofConnection('containerName'),
    noRegion,
  ],
  'STORAGE-ACCOUNT-KEY': [
    ...ofSecret,
    ...accountName,
    ...ofKey('storageAccountKey'),
    ['the key of another type', set(`${secret}/accessKey`, reference), 'cloud/secret-fields', secret],
    ['the wrong type', set(`${credential}/type`, 'MANAGED-IDENTITY'), 'cloud/secret-fields', secret],
    ...ofConnection('containerName'),
    noRegion,
  ],
  'HMAC-KEYS': [
    ...ofSecret,
    ...ofKey('accessKey'),
    ...ofKey('secretKey'),
    ['the key of another type', set(`${secret}/storageAccountKey`, reference), 'cloud/secret-fields', secret],
    ...ofConnection('bucketName'),
    noRegion,
  ],
} satisfies Partial<Readonly<Record<CredentialTypeName, readonly Row[]>>>

test('every credential type of the document has its mistakes', () => {
  expect(Object.keys(rows).toSorted()).toEqual(credentialTypeNames.toSorted())
})

describe.each(Object.entries(rows))('with %s', (type, mistakes) => {
  const right = aFullManifest(type as CredentialTypeName)

  test('a manifest without a mistake has no error', () => {
    expect(errorsIn(right)).toEqual([])
  })

  test.each(mistakes)('one mistake is one error: %s', (_, mistake, code, pointer) => {
    expect(errorsIn(mistake(right))).toEqual([{ code, pointer }])
  })

  test.each(ofAny)('one mistake of any credential is one error: %s', (_, mistake, code, pointer) => {
    expect(errorsIn(mistake(right))).toEqual([{ code, pointer }])
  })
})

describe('one mistake outside of cloud storage is one error', () => {
  const question = '/spec/administrator/securityQuestion'
  const affinity = '/spec/upgrade/podPlacementPolicy/nodeAffinity'
  const expression =
    `${affinity}/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0` as const

  test.each<Row>([
    [
      'a misspelt volume',
      rename('/spec/volumes/QUEUE', 'QEUE'),
      'manifest/unknown-field',
      '/spec/volumes/QEUE',
    ],
    ['a missing volume', drop('/spec/volumes/QUEUE'), 'volume/missing-component', '/spec/volumes'],
    ['a misspelt section', rename('/spec/volumes', 'volums'), 'manifest/unknown-field', '/spec/volums'],
    ['a misspelt number', rename(`${question}/index`, 'indx'), 'manifest/unknown-field', `${question}/indx`],
    [
      'misspelt values',
      rename(`${expression}/values`, 'value'),
      'manifest/unknown-field',
      `${expression}/value`,
    ],
    ['no values', drop(`${expression}/values`), 'placement/values-required', `${expression}/operator`],
    [
      'one value outside a list',
      set(`${expression}/values`, 'x'),
      'manifest/wrong-type',
      `${expression}/values`,
    ],
    [
      'a version without quotes',
      set('/spec/site/version', 11.2),
      'manifest/wrong-type',
      '/spec/site/version',
    ],
    [
      'a version without a dot',
      set('/spec/site/version', '11'),
      'manifest/malformed-value',
      '/spec/site/version',
    ],
    [
      'an empty user name',
      set('/spec/administrator/username', ''),
      'administrator/username',
      '/spec/administrator/username',
    ],
    ['an empty address', set('/spec/site/url', ''), 'site/url', '/spec/site/url'],
    [
      'an empty e-mail',
      set('/spec/administrator/email', ''),
      'administrator/email',
      '/spec/administrator/email',
    ],
  ])('%s', (_, mistake, code, pointer) => {
    expect(errorsIn(mistake(aFullManifest()))).toEqual([{ code, pointer }])
  })
})

function errorsIn(manifest: JsonObject) {
  return diagnosticsOf(manifest)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer }) => ({ code, pointer }))
}
