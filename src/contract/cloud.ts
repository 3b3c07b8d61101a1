import { includes, newestVersion, type ServiceVersion } from './versions.js'

/** The kinds of providers, which differ in the fields of a connection. Service §2.5. */
export type ProviderKind = 'bucket' | 'container' | 'regionless-bucket'

/** The public source of a cloud storage name that is not in the service document. */
interface CloudNameSource {
  readonly since: ServiceVersion
  readonly source: string
}

export interface ConnectionField {
  /** The name in the manifest. */
  readonly name: string
  readonly meaning: string
  readonly reported?: CloudNameSource
}

/** The source of the names that the charts of 11.3 added. Field notes §1.6. */
const charts113 = { since: '11.3', source: 'Reported: Helm charts 11.3' } as const satisfies CloudNameSource
const regionEndpointUrl = {
  name: 'regionEndpointUrl',
  meaning: 'The storage has this regional endpoint, if it is not the default.',
  reported: charts113,
} as const satisfies ConnectionField
const accountEndpointUrl = {
  name: 'accountEndpointUrl',
  meaning: 'The storage account has this endpoint, without a trailing slash.',
  reported: charts113,
} as const satisfies ConnectionField

const rootDir = { name: 'rootDir', meaning: 'The objects are below this folder.' } as const
const bucketName = { name: 'bucketName', meaning: 'The bucket has this name.' } as const

/** The fields of `connection`, by provider kind; the first one names the bucket or container. Service §2.5. */
export const connectionFields = {
  bucket: [
    bucketName,
    { name: 'region', meaning: 'The bucket is in this region.' },
    rootDir,
    regionEndpointUrl,
  ],
  container: [
    { name: 'containerName', meaning: 'The blob container has this name.' },
    rootDir,
    accountEndpointUrl,
    regionEndpointUrl,
  ],
  'regionless-bucket': [bucketName, rootDir],
} as const satisfies Record<ProviderKind, readonly ConnectionField[]>

export interface CredentialType {
  readonly provider: ProviderKind
  /** The fields of `secret` in the manifest; none for role-based credentials, which have no `secret`. */
  readonly secret: readonly SecretField[]
  readonly meaning: string
  /** Fields that this type spells in its own way on the wire: manifest name → wire name. */
  readonly wire?: Readonly<Record<string, string>>
  /** Fields of the credential next to `secret`. */
  readonly beside?: readonly ConnectionField[]
  readonly reported?: CloudNameSource
}

export interface SecretField {
  readonly name: string
  /** False if the field is in `secret` but only names something, such as an account. */
  readonly confidential: boolean
  readonly meaning: string
}

const accountName = {
  name: 'storageAccountName',
  confidential: false,
  meaning: 'The storage account has this name.',
} as const satisfies SecretField
const accessKey = {
  name: 'accessKey',
  confidential: true,
  meaning: 'This is the access key.',
} as const satisfies SecretField
const secretKey = {
  name: 'secretKey',
  confidential: true,
  meaning: 'This is the secret key.',
} as const satisfies SecretField

/**
 * The five credential types of the service document, and those that are reported. Service §2.5, field notes §1.6.
 *
 * The provider kind of each follows from its own fields: a storage account belongs to blob containers, and the document gives
 * `region`, and a spelling for access keys, only to the bucket kind.
 */
export const credentialTypes = {
  'IAM-ROLE': {
    provider: 'bucket',
    secret: [],
    meaning: 'The site uses the role of the cluster; there is no secret.',
  },
  'ACCESS-KEY': {
    provider: 'bucket',
    secret: [secretKey, accessKey],
    meaning: 'The site signs in with the access key and the secret key of an account.',
    wire: { secretKey: 'secret_key', accessKey: 'access_key', bucketName: 'bucket_name' },
  },
  'MANAGED-IDENTITY': {
    provider: 'container',
    secret: [accountName],
    meaning: 'The cloud provider manages the identity.',
  },
  'STORAGE-ACCOUNT-KEY': {
    provider: 'container',
    secret: [
      accountName,
      { name: 'storageAccountKey', confidential: true, meaning: 'This is the key of the storage account.' },
    ],
    meaning: 'The site signs in with the name and the key of a storage account.',
  },
  'HMAC-KEYS': {
    provider: 'regionless-bucket',
    secret: [secretKey, accessKey],
    meaning: 'The site signs in with a pair of HMAC keys.',
  },
  'SYSTEM-ASSIGNED-IDENTITY': {
    provider: 'container',
    secret: [accountName],
    meaning: 'The identity belongs to the cluster.',
    reported: charts113,
  },
  'USER-ASSIGNED-IDENTITY': {
    provider: 'container',
    secret: [accountName],
    beside: [
      {
        name: 'managedIdentityClientId',
        meaning: 'The managed identity has this client ID.',
        reported: charts113,
      },
    ],
    meaning: 'The identity is created for the site.',
    reported: charts113,
  },
} as const satisfies Record<string, CredentialType>

/** The fields of `secret` of every credential type. */
export const secretFieldNames: readonly string[] = [
  ...new Set(
    Object.values<CredentialType>(credentialTypes).flatMap(({ secret }) => secret.map(({ name }) => name)),
  ),
]

/** The fields that some credential types have next to `secret`. */
export const besideNames: readonly string[] = Object.values<CredentialType>(credentialTypes).flatMap(
  ({ beside = [] }) => beside.map(({ name }) => name),
)

export type CredentialTypeName = keyof typeof credentialTypes
const allCredentialTypes = Object.keys(credentialTypes) as CredentialTypeName[]

/** The credential types of the service document. Service §2.5. */
export const credentialTypeNames: readonly CredentialTypeName[] = listCredentialTypes(newestVersion)

/** Lists the credential types of one version. */
export function listCredentialTypes(version: ServiceVersion): readonly CredentialTypeName[] {
  return allCredentialTypes.filter(name => existsIn<CredentialType>(version, credentialTypes[name]))
}

/** The reported fields of a connection or next to a secret, by name, with the version that introduced each. */
export const reportedCloudFields: ReadonlyMap<string, ServiceVersion> = new Map(
  [
    ...Object.values<readonly ConnectionField[]>(connectionFields).flat(),
    ...Object.values<CredentialType>(credentialTypes).flatMap(({ beside = [] }) => beside),
  ].flatMap(({ name, reported }) => (reported === undefined ? [] : [[name, reported.since] as const])),
)

/** Lists the connection fields of a credential type in one version; the first names the bucket or container. */
export function listConnectionFields(
  type: CredentialTypeName,
  version: ServiceVersion,
): readonly [ConnectionField, ...ConnectionField[]] {
  const [container, ...rest] = connectionFields[credentialTypes[type].provider]
  return [container, ...rest.filter(one => existsIn<ConnectionField>(version, one))]
}

function existsIn<T extends { readonly reported?: CloudNameSource }>(
  version: ServiceVersion,
  { reported }: T,
): boolean {
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

/** The spellings of cloud storage fields on the wire: of the service document, or of public reports. */
export const cloudSpellings = {
  document: 'As in the service document, such as `secret_key` and `bucket_name` with access keys.',
  reported:
    'As in every public template since 11.2, which is also the spelling of manifests. Reported: Helm charts 11.2 and 11.3.',
} as const
export type CloudSpelling = keyof typeof cloudSpellings

/** Finds the wire name of a manifest field with one credential type. Service §2.5, field notes §1.6. */
export function findWireName(type: string, field: string, spelling: CloudSpelling = 'document'): string {
  if (spelling === 'reported') return field
  const entry: CredentialType | undefined = isCredentialType(type) ? credentialTypes[type] : undefined
  return entry?.wire?.[field] ?? field
}

/** The fields of one cloud provider and of its credential. Service §2.5. */
export const cloudFields = {
  name: 'This label names the cloud provider.',
  credential: 'The site signs in at the provider with this credential.',
  cloudServices: 'Each service has a bucket or container, a root folder and a region.',
} as const

/** The fields of one element of `cloudServices`; those with one documented value have it here. Service §2.5. */
export const cloudServiceFields = {
  name: { meaning: 'This label names the storage service.' },
  type: { meaning: 'The service is of this kind.', value: 'objectStore' },
  usage: { meaning: 'The storage is used for this.', value: 'DEFAULT' },
  category: { meaning: 'The service is of this category.', value: 'storage' },
  connection: { meaning: 'The objects are at this location.' },
} as const

/** Facts from public sources about cloud storage that the service document does not show; see `field-notes.ts`. */

interface ReportedCloud {
  readonly provider: keyof typeof reportedProviderNames
  /** Label of its storage service. */
  readonly service: string
  /** The storage class that guides for its clusters use. */
  readonly storageClass: string
}

/** Names of the providers by the kind of their credentials (Helm charts 11.2 and 11.3). */
export const reportedProviderNames = {
  bucket: 'AWS',
  container: 'AZURE',
  'regionless-bucket': 'GCP',
} as const

/** A credential type that the charts of a later version replaced (Helm charts 11.3). */
export const replacedCredential = {
  type: 'MANAGED-IDENTITY',
  since: '11.3' satisfies ServiceVersion,
  by: ['SYSTEM-ASSIGNED-IDENTITY', 'USER-ASSIGNED-IDENTITY'],
  /** A type of the same provider that was kept. */
  still: 'STORAGE-ACCOUNT-KEY',
} as const

/** The providers that the vendor's templates name, 11.2 and 11.3, with the storage classes of the deployment guides. */
export const reportedClouds = {
  aws: { provider: 'bucket', service: 'AWS S3', storageClass: 'gp3' },
  azure: {
    provider: 'container',
    service: 'Azure Blob Store',
    storageClass: 'managed-premium',
  },
  gcp: {
    provider: 'regionless-bucket',
    service: 'Google Cloud Storage',
    storageClass: 'premium-rwo',
  },
} as const satisfies Readonly<Record<string, ReportedCloud>>

/** Finds the reported facts about the provider of a kind. */
export function findReportedCloud(kind: ReportedCloud['provider']): ReportedCloud {
  const found = Object.values<ReportedCloud>(reportedClouds).find(({ provider }) => provider === kind)
  if (found === undefined) throw new Error('every provider kind has a cloud')
  return found
}

export type CloudKey = keyof typeof reportedClouds
export const cloudKeys = Object.keys(reportedClouds) as readonly CloudKey[]
