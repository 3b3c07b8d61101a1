import { aCase, type TomcatCase } from './cases.js'

/** Fields of the secret, beside it, and of the connection, of which the first is required. Service §2.5, field notes §1.6. */
const credentials: Readonly<Record<string, readonly [secret: Fields, beside: Fields, connection: Fields]>> = {
  'IAM-ROLE': [[], [], ['bucketName', 'region', 'rootDir']],
  'ACCESS-KEY': [['secretKey', 'accessKey'], [], ['bucketName', 'region', 'rootDir']],
  'MANAGED-IDENTITY': [['storageAccountName'], [], ['containerName', 'rootDir']],
  'STORAGE-ACCOUNT-KEY': [['storageAccountName', 'storageAccountKey'], [], ['containerName', 'rootDir']],
  'HMAC-KEYS': [['secretKey', 'accessKey'], [], ['bucketName', 'rootDir']],
}
const laterContainer: Fields = ['containerName', 'rootDir', 'accountEndpointUrl', 'regionEndpointUrl']
const laterBucket: Fields = ['bucketName', 'region', 'rootDir', 'regionEndpointUrl']
const laterCredentials: typeof credentials = {
  'IAM-ROLE': [[], [], laterBucket],
  'ACCESS-KEY': [['secretKey', 'accessKey'], [], laterBucket],
  'STORAGE-ACCOUNT-KEY': [['storageAccountName', 'storageAccountKey'], [], laterContainer],
  'HMAC-KEYS': [['secretKey', 'accessKey'], [], ['bucketName', 'rootDir']],
  'SYSTEM-ASSIGNED-IDENTITY': [['storageAccountName'], [], laterContainer],
  'USER-ASSIGNED-IDENTITY': [['storageAccountName'], ['managedIdentityClientId'], laterContainer],
}
type Fields = readonly string[]

/** The names that the document spells differently with access keys. Service §2.5. */
const documentNames: Readonly<Record<string, string>> = {
  secretKey: 'secret_key',
  accessKey: 'access_key',
  bucketName: 'bucket_name',
}

/** Valid values of the fields for which a provider has rules. */
const acceptedNames: Readonly<Record<string, string>> = {
  bucketName: 'gis-objects',
  containerName: 'gis-objects',
  region: 'eu-west-1',
  managedIdentityClientId: '00000000-0000-0000-0000-000000000001',
}

/** Each credential with its shortest connection, its longest, and in version 11.2 one in between. */
export const storageCases: readonly TomcatCase[] = [
  ...listStorageCases('11.2', credentials, [1, 2, 3]),
  ...listStorageCases('11.3', laterCredentials, [1, 4]),
]

function listStorageCases(version: string, types: typeof credentials, lengths: readonly number[]) {
  return Object.entries(types).flatMap(([type, [secret, beside, connection]]) =>
    [...new Set(lengths.map(length => connection.slice(0, length).join()))].map(names =>
      aStorageCase({ version, type, secret, beside, connection: names.split(',') }),
    ),
  )
}

interface Storage {
  readonly version: string
  readonly type: string
  readonly secret: Fields
  readonly beside: Fields
  readonly connection: Fields
}

function aStorageCase({ version, type, secret, beside, connection }: Storage): TomcatCase {
  const isRenamed = version === '11.2' && type === 'ACCESS-KEY'
  const onWire = (name: string) => (isRenamed ? (documentNames[name] ?? name) : name)
  const record = <T>(names: Fields, value: (name: string) => T, nameOf = (name: string) => name) =>
    Object.fromEntries(names.map(name => [nameOf(name), value(name)]))
  const text = (name: string) =>
    name.endsWith('Url')
      ? `https://${name.toLowerCase()}.example.org`
      : (acceptedNames[name] ?? `${name} Größe "${name === 'rootDir' ? '' : '\\'}`)
  const variable = (name: string) => `LANDFORM_${name.toUpperCase()}`
  const service = { name: 'objects', type: 'objectStore', usage: 'DEFAULT', category: 'storage' }
  const written = {
    type,
    ...(secret.length > 0 && { secret: record(secret, name => ({ env: variable(name) })) }),
    ...record(beside, text),
  }
  const meant = {
    type,
    ...(secret.length > 0 && { secret: record(secret, text, onWire) }),
    ...record(beside, text),
  }
  return aCase(
    `${type} with ${connection.join(', ')} (${version})`,
    {
      '/spec/site/version': version,
      '/spec/cloudStorage': [
        {
          name: 'cloud',
          credential: written,
          cloudServices: [{ name: 'objects', connection: record(connection, text) }],
        },
      ],
    },
    {
      environment: Object.fromEntries(secret.map(name => [variable(name), text(name)])),
      meant: {
        cloudConfig: {
          json: [
            {
              name: 'cloud',
              credential: meant,
              cloudServices: [{ ...service, connection: record(connection, text, onWire) }],
            },
          ],
        },
      },
    },
  )
}
