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

/** Mistakes with any type of credential. */
const ofAny: readonly Row[] = [
  ['no type', drop(`${credential}/type`), 'manifest/missing-field', credential],
  [
    'an unknown type',
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
    'a type that is not text',
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
  ['a field next to it', set(`${credential}/role`, 'x'), 'manifest/unknown-field', `${credential}/role`],
  ['a secret that is text', set(secret, 'hunter2'), 'manifest/wrong-type', secret],
  ['an empty secret', set(secret, null), 'manifest/wrong-type', secret],
  ['a secret that is a list', set(secret, []), 'manifest/wrong-type', secret],
  ['no credential', drop(credential), 'manifest/missing-field', provider],
  ['a credential that is text', set(credential, 'ACCESS-KEY'), 'manifest/wrong-type', credential],
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
  ['a connection that is text', set(connection, 'gis-objects'), 'manifest/wrong-type', connection],
  ['an empty connection', set(connection, {}), 'cloud/connection-fields', connection],
  [
    'an unknown field in the connection',
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

/** Mistakes with the name of the bucket or the container. */
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

/** Mistakes with one reference in `secret`. */
function ofKey(name: string): readonly Row[] {
  const at = `${secret}/${name}` as const
  return [
    [`no ${name}`, drop(at), 'cloud/secret-fields', secret],
    [`${name} misspelt`, rename(at, `${name}s`), 'manifest/unknown-field', `${at}s`],
    [`an unknown field instead of ${name}`, rename(at, 'key_of_account'), 'cloud/secret-fields', secret],
    [`${name} as text`, set(at, 'hunter2'), 'secret/literal', at],
    [`${name} empty`, set(at, null), 'secret/reference', at],
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
    'an account name with an unknown source',
    set(`${secret}/storageAccountName`, {}),
    'secret/reference',
    `${secret}/storageAccountName`,
  ],
]

/** Mistakes with a required `secret`. */
const ofSecret: readonly Row[] = [
  ['no secret', drop(secret), 'cloud/secret-fields', credential],
  ['a misspelt secret', rename(secret, 'secrets'), 'manifest/unknown-field', `${credential}/secrets`],
  ['an unknown field in the secret', set(`${secret}/pin`, reference), 'cloud/secret-fields', secret],
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
    ['a secret', set(secret, { accessKey: reference }), 'cloud/secret-fields', secret],
    ['a secret without fields', set(secret, {}), 'cloud/secret-fields', secret],
    ...ofConnection('bucketName'),
  ],
  'ACCESS-KEY': [
    ...ofSecret,
    ...ofKey('accessKey'),
    ...ofKey('secretKey'),
    [
      'the spelling of the request',
      rename(`${secret}/secretKey`, 'secret_key'),
      'manifest/unknown-field',
      `${secret}/secret_key`,
    ],
    ['the key of another type', set(`${secret}/storageAccountKey`, reference), 'cloud/secret-fields', secret],
    ['the wrong type', set(`${credential}/type`, 'IAM-ROLE'), 'cloud/secret-fields', secret],
    ...ofConnection('bucketName'),
    [
      'the bucket in the spelling of the request',
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

test('every documented type of credential has rows', () => {
  expect(Object.keys(rows).toSorted()).toEqual(credentialTypeNames.toSorted())
})

describe.each(Object.entries(rows))('with %s', (type, mistakes) => {
  const right = aFullManifest(type as CredentialTypeName)

  test('a valid manifest has no error', () => {
    expect(errorsIn(right)).toEqual([])
  })

  test.each(mistakes)('one mistake is one error: %s', (_, mistake, code, pointer) => {
    expect(errorsIn(mistake(right))).toEqual([{ code, pointer }])
  })

  test.each(ofAny)('one mistake with any credential is one error: %s', (_, mistake, code, pointer) => {
    expect(errorsIn(mistake(right))).toEqual([{ code, pointer }])
  })
})

function errorsIn(manifest: JsonObject) {
  return diagnosticsOf(manifest)
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer }) => ({ code, pointer }))
}
