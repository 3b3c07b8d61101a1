/** The provider kinds that the connection fields differ by. Service §2.5. */
export type ProviderKind = 'bucket' | 'container' | 'regionless-bucket'

export interface ConnectionField {
  /** The name in the manifest. */
  readonly name: string
  readonly meaning: string
}

const rootDir = { name: 'rootDir', meaning: 'Folder below which the objects are kept.' } as const
const bucketName = { name: 'bucketName', meaning: 'Name of the bucket.' } as const

/** The fields of `connection`, by provider kind; the first one names the bucket or container. Service §2.5. */
export const connectionFields = {
  bucket: [bucketName, { name: 'region', meaning: 'Region of the bucket.' }, rootDir],
  container: [{ name: 'containerName', meaning: 'Name of the blob container.' }, rootDir],
  'regionless-bucket': [bucketName, rootDir],
} as const satisfies Record<ProviderKind, readonly ConnectionField[]>

export interface CredentialType {
  readonly provider: ProviderKind
  /** The fields of `secret` in the manifest; none for role-based credentials, which carry no `secret`. */
  readonly secret: readonly SecretField[]
  readonly meaning: string
  /** Fields that this type spells in its own way on the wire: manifest name → wire name. */
  readonly wire?: Readonly<Record<string, string>>
}

export interface SecretField {
  readonly name: string
  /** False where the field stands under `secret` but only names something, such as an account. */
  readonly confidential: boolean
  readonly meaning: string
}

const accountName = {
  name: 'storageAccountName',
  confidential: false,
  meaning: 'Name of the storage account.',
} as const satisfies SecretField
const accessKey = {
  name: 'accessKey',
  confidential: true,
  meaning: 'Access key.',
} as const satisfies SecretField
const secretKey = {
  name: 'secretKey',
  confidential: true,
  meaning: 'Secret key.',
} as const satisfies SecretField

/**
 * The five credential types. Service §2.5.
 *
 * The provider kind of each follows from its own fields: a storage account belongs to blob containers, and the
 * document gives `region` to the bucket kind only, whose access-key spelling it names.
 */
export const credentialTypes = {
  'IAM-ROLE': { provider: 'bucket', secret: [], meaning: 'Role of the cluster; carries no secret.' },
  'ACCESS-KEY': {
    provider: 'bucket',
    secret: [secretKey, accessKey],
    meaning: 'Access key and secret key of an account.',
    wire: { secretKey: 'secret_key', accessKey: 'access_key', bucketName: 'bucket_name' },
  },
  'MANAGED-IDENTITY': {
    provider: 'container',
    secret: [accountName],
    meaning: 'Identity managed by the cloud provider.',
  },
  'STORAGE-ACCOUNT-KEY': {
    provider: 'container',
    secret: [
      accountName,
      { name: 'storageAccountKey', confidential: true, meaning: 'Key of the storage account.' },
    ],
    meaning: 'Name and key of a storage account.',
  },
  'HMAC-KEYS': {
    provider: 'regionless-bucket',
    secret: [secretKey, accessKey],
    meaning: 'Pair of HMAC keys.',
  },
} as const satisfies Record<string, CredentialType>

/** The fields of `secret` of every credential type. */
export const secretFieldNames: readonly string[] = [
  ...new Set(
    Object.values<CredentialType>(credentialTypes).flatMap(({ secret }) => secret.map(({ name }) => name)),
  ),
]

export type CredentialTypeName = keyof typeof credentialTypes
export const credentialTypeNames = Object.keys(credentialTypes) as CredentialTypeName[]

/** True for one of the five documented credential types. */
export function isCredentialType(value: unknown): value is CredentialTypeName {
  return typeof value === 'string' && Object.hasOwn(credentialTypes, value)
}

/** The names that the service spells in another way than the manifest. Service §2.5. */
export const wireSpellings: readonly string[] = Object.values<CredentialType>(credentialTypes).flatMap(
  ({ wire = {} }) => Object.values(wire),
)

/** The spelling of a manifest field on the wire under one credential type. Service §2.5. */
export function wireName(type: CredentialTypeName, field: string): string {
  const entry: CredentialType = credentialTypes[type]
  return entry.wire?.[field] ?? field
}

/** The fields of one cloud provider and of its credential. Service §2.5. */
export const cloudFields = {
  name: 'Label of the cloud provider.',
  credential: 'How the service signs in to the provider.',
  cloudServices: 'Bucket or container, root folder and region.',
} as const

/** The fields of one element of `cloudServices`; those with one documented value have it here. Service §2.5. */
export const cloudServiceFields = {
  name: { meaning: 'Label of the storage service.' },
  type: { meaning: 'Kind of service.', value: 'objectStore' },
  usage: { meaning: 'What the storage is used for.', value: 'DEFAULT' },
  category: { meaning: 'Category of the service.', value: 'storage' },
  connection: { meaning: 'Where the objects are kept.' },
} as const
