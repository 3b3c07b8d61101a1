import {
  type CredentialType,
  type CredentialTypeName,
  cloudFields,
  cloudServiceFields,
  credentialTypeNames,
  credentialTypes,
  findWireName,
  isCredentialType,
  listConnectionFields,
} from '../../src/contract/cloud.js'
import { volumesWrapper } from '../../src/contract/field-row.js'
import {
  dataStoreFields,
  documentedProvisioningType,
  fileServerFields,
  volumeComponents,
  volumeFields,
} from '../../src/contract/volumes.js'

describe('the volume configuration, §2.4', () => {
  test('has five fields for each entry, in the order of the document', () => {
    expect(Object.keys(volumeFields)).toEqual([
      'provisioningType',
      'component',
      'size',
      'storageClass',
      'labels',
    ])
  })

  test('covers eight components, in the order of the document', () => {
    expect(volumeComponents).toEqual([
      'RELATIONAL_PRIMARY',
      'RELATIONAL_SECONDARY',
      'BLOB',
      'IN_MEM_CACHE',
      'QUEUE',
      'INDEXER',
      'SHARING',
      'REST_METRICS_API',
    ])
  })

  test('has one documented provisioning type', () => {
    expect(documentedProvisioningType).toBe('DYNAMIC')
  })

  test('is sent below a key with its own name, §4.3', () => {
    expect(volumesWrapper).toBe('volumesConfig')
  })
})

describe('the cloud storage configuration, §2.5', () => {
  test('has three fields for each provider', () => {
    expect(Object.keys(cloudFields)).toEqual(['name', 'credential', 'cloudServices'])
  })

  test('has five fields for each service, three of them with one documented value', () => {
    const fields: readonly { readonly meaning: string; readonly value?: string }[] =
      Object.values(cloudServiceFields)
    expect(Object.keys(cloudServiceFields)).toEqual(['name', 'type', 'usage', 'category', 'connection'])
    expect(fields.map(({ value }) => value)).toEqual([
      undefined,
      'objectStore',
      'DEFAULT',
      'storage',
      undefined,
    ])
  })

  test('has five credential types, in the order of the document', () => {
    expect(credentialTypeNames).toEqual([
      'IAM-ROLE',
      'ACCESS-KEY',
      'MANAGED-IDENTITY',
      'STORAGE-ACCOUNT-KEY',
      'HMAC-KEYS',
    ])
  })

  test.each<[CredentialTypeName, readonly string[]]>([
    ['IAM-ROLE', []],
    ['ACCESS-KEY', ['secret_key', 'access_key']],
    ['MANAGED-IDENTITY', ['storageAccountName']],
    ['STORAGE-ACCOUNT-KEY', ['storageAccountName', 'storageAccountKey']],
    ['HMAC-KEYS', ['secretKey', 'accessKey']],
  ])('sends for %s the secret fields %j', (type, onTheWire) => {
    const { secret }: CredentialType = credentialTypes[type]
    expect(secret.map(({ name }) => findWireName(type, name))).toEqual(onTheWire)
  })

  test.each<[CredentialTypeName, readonly string[]]>([
    ['IAM-ROLE', ['bucketName', 'region', 'rootDir']],
    ['ACCESS-KEY', ['bucket_name', 'region', 'rootDir']],
    ['MANAGED-IDENTITY', ['containerName', 'rootDir']],
    ['STORAGE-ACCOUNT-KEY', ['containerName', 'rootDir']],
    ['HMAC-KEYS', ['bucketName', 'rootDir']],
  ])('sends for %s the connection fields %j', (type, onTheWire) => {
    const fields = listConnectionFields(type, '11.2')
    expect(fields.map(({ name }) => findWireName(type, name))).toEqual(onTheWire)
  })

  test('keeps all keys secret, and only keys', () => {
    const all = credentialTypeNames.flatMap<CredentialType['secret'][number]>(
      type => credentialTypes[type].secret,
    )
    const names = (confidential: boolean) => [
      ...new Set(all.filter(field => field.confidential === confidential).map(({ name }) => name)),
    ]
    expect(names(true)).toEqual(['secretKey', 'accessKey', 'storageAccountKey'])
    expect(names(false)).toEqual(['storageAccountName'])
  })

  test.each(['IAM-ROLE', 'HMAC-KEYS'])('recognizes %s as a credential type', type => {
    expect(isCredentialType(type)).toBe(true)
  })

  test.each([['iam-role'], ['ACCESS_KEY'], ['toString'], [''], [undefined], [5]])(
    'does not recognize %p as a credential type',
    type => {
      expect(isCredentialType(type)).toBe(false)
    },
  )
})

describe('a registered data store, §2.6', () => {
  test('has two fields and a file server with three', () => {
    expect(Object.keys(dataStoreFields)).toEqual(['clientPath', 'type'])
    expect(Object.keys(fileServerFields)).toEqual(['fileServerHost', 'fileServerType', 'fileServerPath'])
  })
})
