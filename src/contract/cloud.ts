import { includes, newestVersion, type ServiceVersion } from './versions.js'

/** The provider kinds that the connection fields differ by. Service §2.5. */
export type ProviderKind = 'bucket' | 'container' | 'regionless-bucket'

/** Where a name of cloud storage comes from that the service document does not have. */
export interface Reported {
  readonly since: ServiceVersion
  readonly source: string
}

export interface ConnectionField {
  /** The name in the manifest. */
  readonly name: string
  readonly meaning: string
  readonly reported?: Reported
}

/** The charts of 11.3 have these beside what those of 11.2 have. Field notes §1.6. */
const charts113 = { since: '11.3', source: 'Reported: Helm charts 11.3' } as const satisfies Reported
const regionEndpointUrl = {
  name: 'regionEndpointUrl',
  meaning: 'Address of the storage in its region, where it is not the usual one.',
  reported: charts113,
} as const satisfies ConnectionField
const accountEndpointUrl = {
  name: 'accountEndpointUrl',
  meaning: 'Address of the storage account, without a slash at the end.',
  reported: charts113,
} as const satisfies ConnectionField

const rootDir = { name: 'rootDir', meaning: 'Folder below which the objects are kept.' } as const
const bucketName = { name: 'bucketName', meaning: 'Name of the bucket.' } as const

/** The fields of `connection`, by provider kind; the first one names the bucket or container. Service §2.5. */
export const connectionFields = {
  bucket: [bucketName, { name: 'region', meaning: 'Region of the bucket.' }, rootDir, regionEndpointUrl],
  container: [
    { name: 'containerName', meaning: 'Name of the blob container.' },
    rootDir,
    accountEndpointUrl,
    regionEndpointUrl,
  ],
  'regionless-bucket': [bucketName, rootDir],
} as const satisfies Record<ProviderKind, readonly ConnectionField[]>

export interface CredentialType {
  readonly provider: ProviderKind
  /** The fields of `secret` in the manifest; none for role-based credentials, which carry no `secret`. */
  readonly secret: readonly SecretField[]
  readonly meaning: string
  /** Fields that this type spells in its own way on the wire: manifest name → wire name. */
  readonly wire?: Readonly<Record<string, string>>
  /** Fields of the credential that stand beside `secret`. */
  readonly beside?: readonly ConnectionField[]
  readonly reported?: Reported
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
 * The five credential types of the service document, and those that are reported. Service §2.5, field notes §1.6.
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
  'SYSTEM-ASSIGNED-IDENTITY': {
    provider: 'container',
    secret: [accountName],
    meaning: 'Identity that belongs to the cluster.',
    reported: charts113,
  },
  'USER-ASSIGNED-IDENTITY': {
    provider: 'container',
    secret: [accountName],
    beside: [
      {
        name: 'managedIdentityClientId',
        meaning: 'Client ID of the managed identity.',
        reported: charts113,
      },
    ],
    meaning: 'Identity made for the site.',
    reported: charts113,
  },
} as const satisfies Record<string, CredentialType>

/** The fields of `secret` of every credential type. */
export const secretFieldNames: readonly string[] = [
  ...new Set(
    Object.values<CredentialType>(credentialTypes).flatMap(({ secret }) => secret.map(({ name }) => name)),
  ),
]

/** The fields that some credential type has beside its `secret`. */
export const besideNames: readonly string[] = Object.values<CredentialType>(credentialTypes).flatMap(
  ({ beside = [] }) => beside.map(({ name }) => name),
)

export type CredentialTypeName = keyof typeof credentialTypes
const allCredentialTypes = Object.keys(credentialTypes) as CredentialTypeName[]

/** The credential types of the service document. Service §2.5. */
export const credentialTypeNames: readonly CredentialTypeName[] = credentialTypesOf(newestVersion)

/** The credential types of one version. */
export function credentialTypesOf(version: ServiceVersion): readonly CredentialTypeName[] {
  return allCredentialTypes.filter(name => isIn<CredentialType>(version, credentialTypes[name]))
}

/** The fields of a connection or beside a secret that only reports have, by name, with the version that brought each. */
export const reportedCloudFields: ReadonlyMap<string, ServiceVersion> = new Map(
  [
    ...Object.values<readonly ConnectionField[]>(connectionFields).flat(),
    ...Object.values<CredentialType>(credentialTypes).flatMap(({ beside = [] }) => beside),
  ].flatMap(({ name, reported }) => (reported === undefined ? [] : [[name, reported.since] as const])),
)

/** The connection fields that go with a credential type in one version; the first names the bucket or container. */
export function connectionFieldsOf(
  type: CredentialTypeName,
  version: ServiceVersion,
): readonly [ConnectionField, ...ConnectionField[]] {
  const [container, ...rest] = connectionFields[credentialTypes[type].provider]
  return [container, ...rest.filter(one => isIn<ConnectionField>(version, one))]
}

function isIn<T extends { readonly reported?: Reported }>(version: ServiceVersion, { reported }: T): boolean {
  return reported === undefined || includes(version, reported.since)
}

/** True for a credential type that Landform knows. */
export function isCredentialType(value: unknown): value is CredentialTypeName {
  return typeof value === 'string' && Object.hasOwn(credentialTypes, value)
}

/** The names that the service spells in another way than the manifest. Service §2.5. */
export const wireSpellings: readonly string[] = Object.values<CredentialType>(credentialTypes).flatMap(
  ({ wire = {} }) => Object.values(wire),
)

/** How the fields of cloud storage are spelled on the wire: as the service document has them, or as reports do. */
export const cloudSpellings = {
  document: 'As the service document spells them, such as `secret_key` and `bucket_name` with access keys.',
  reported:
    'As every public template from 11.2 on spells them: as a manifest does. Reported: Helm charts 11.2 and 11.3.',
} as const
export type CloudSpelling = keyof typeof cloudSpellings

/** The spelling of a manifest field on the wire under one credential type. Service §2.5, field notes §1.6. */
export function wireName(type: string, field: string, spelling: CloudSpelling = 'document'): string {
  if (spelling === 'reported') return field
  const entry: CredentialType | undefined = isCredentialType(type) ? credentialTypes[type] : undefined
  return entry?.wire?.[field] ?? field
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
