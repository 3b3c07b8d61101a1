import type { CredentialTypeName } from '../../contract/cloud.js'
import { replacedCredential } from '../../contract/reported-cloud.js'
import { allOf, lines, oneOf, paragraph, quoted } from '../words.js'
import { entry, type None } from './entry.js'

const { type: replaced, since, by, still } = replacedCredential

/** Cloud storage. */
export const cloudEntries = {
  'cloud/secret-fields': entry<{
    readonly type: string
    readonly wanted: readonly string[]
    readonly missing: readonly string[]
    /** Fields of other types; what no type has is counted and not named. */
    readonly foreign: readonly string[]
    readonly strangers: number
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The secret does not fit the credential type',
    message: ({ type, wanted, missing, foreign, strangers }) => {
      const faults = [
        ...(missing.length > 0 ? [`lacks ${allOf(missing)}`] : []),
        ...(foreign.length > 0 ? [`does not know ${allOf(foreign)}`] : []),
        ...(strangers > 0 ? ['holds what no credential has'] : []),
      ]
      return wanted.length === 0
        ? `${quoted(type)} carries no \`secret\``
        : `the secret of ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ wanted }) => (wanted.length === 0 ? 'remove it' : `its fields are ${allOf(wanted)}`),
    explanation: paragraph(
      'Each credential type has its own fields, and a role has none, since the cluster signs in by itself.',
      'What the service does with other fields, or without one of these, is not documented.',
      'Give just the fields of the type, or choose the type that your fields belong to.',
      'A field that no type has is not shown here, for it could be the secret itself.',
    ),
    example: {
      wrong: lines(
        'cloudStorage:',
        '  - name: GCP',
        '    credential:',
        '      type: HMAC-KEYS',
        '      secret: { accessKey: { env: LANDFORM_ACCESS_KEY } }',
        '    cloudServices:',
        '      - { name: Google Cloud Storage, connection: { bucketName: gis } }',
      ),
      right: lines(
        'cloudStorage:',
        '  - name: GCP',
        '    credential:',
        '      type: HMAC-KEYS',
        '      secret: { accessKey: { env: LANDFORM_ACCESS_KEY }, secretKey: { env: LANDFORM_SECRET_KEY } }',
        '    cloudServices:',
        '      - { name: Google Cloud Storage, connection: { bucketName: gis } }',
      ),
    },
  }),
  'cloud/credential-fields': entry<{
    readonly type: string
    readonly missing: readonly string[]
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: Helm charts 11.3',
    title: 'The fields beside the secret do not fit the credential type',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing.length > 0 ? [`lacks ${allOf(missing)}`] : []),
        ...(foreign.length > 0 ? [`has no ${oneOf(foreign)}`] : []),
      ]
      return `a credential of type ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ missing }) =>
      missing.length > 0 ? `add ${allOf(missing)}` : 'remove it, or correct the credential type',
    explanation: paragraph(
      'An identity that was made for a site is named by its client ID, which stands beside `secret`; other types have no such field.',
      'What the service does with one field too many, or without it, is not reported.',
    ),
    example: {
      wrong: lines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential: { type: USER-ASSIGNED-IDENTITY, secret: { storageAccountName: gis } }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
      right: lines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential:',
        '      type: USER-ASSIGNED-IDENTITY',
        '      managedIdentityClientId: 00000000-0000-0000-0000-000000000000',
        '      secret: { storageAccountName: gis }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
    },
  }),
  'cloud/connection-fields': entry<{
    readonly type: string
    readonly allowed: readonly string[]
    readonly missing: string | undefined
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The connection does not fit the provider',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing === undefined ? [] : [`lacks ${quoted(missing)}`]),
        ...(foreign.length > 0 ? [`has no ${oneOf(foreign)}`] : []),
      ]
      return `a connection with ${quoted(type)} ${faults.join(' and ')}`
    },
    help: ({ allowed }) => `its fields are ${allOf(allowed)}`,
    explanation: paragraph(
      'The credential type tells which provider it is, and each provider has its own way to name a place.',
      'A bucket with a role or an access key has a region, a bucket with HMAC keys has none, and a storage account has containers.',
      'Write the fields of your provider, or correct the credential type.',
    ),
    example: {
      wrong: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { containerName: gis } }',
      ),
      right: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    },
  }),
  'cloud/provider-name': entry<{
    readonly type: CredentialTypeName
    readonly found: string
    readonly reported: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A provider is not named as public sources name it',
    message: ({ type, found }) =>
      `${quoted(found)} is not what public sources call the provider of ${quoted(type)}`,
    help: ({ reported }) => `write ${quoted(reported)}, or correct the credential type`,
    fix: ({ reported, otherCase }) => (otherCase ? { kind: 'replace', by: reported } : undefined),
    explanation: paragraph(
      'The service document calls the name a label and does not say whether it matters.',
      'In every public example it is `AWS`, `AZURE` or `GCP`, as the credential type has it.',
      'Another name may hint at a credential that was copied from elsewhere.',
    ),
    example: {
      wrong: lines(
        'cloudStorage:',
        '  - name: aws',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
      right: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    },
  }),
  'cloud/service-value': entry<{
    readonly field: string
    readonly found: string
    readonly documented: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.5',
    title: 'A storage service with an undocumented value',
    message: ({ field, found, documented }) =>
      `${quoted(found)} is not documented for ${quoted(field)}, which is ${quoted(documented)} in the service document`,
    help: ({ documented }) => `write ${quoted(documented)}, or remove the field: it is the default`,
    fix: ({ documented, otherCase }) => (otherCase ? { kind: 'replace', by: documented } : undefined),
    explanation: paragraph(
      'The service document shows one value for each of `type`, `usage` and `category`, and so does every public example.',
      'Whether the service takes others is not known; capitals may count.',
      'Leave the field out to have the documented value sent.',
    ),
    example: {
      wrong: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, usage: default, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
      right: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, usage: DEFAULT, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    },
  }),
  'cloud/region-absent': entry<{ readonly type: CredentialTypeName }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A bucket has no region',
    message: ({ type }) =>
      `the bucket has no \`region\`, which public examples with ${quoted(type)} all have`,
    help: () => 'add the region that the bucket is in, such as `eu-west-1`',
    explanation: paragraph(
      'The service document shows a region for these buckets and does not say whether it is required.',
      'Every public example has one, and without it the service may look in the wrong place.',
      'Add the region that the bucket was created in.',
    ),
    example: {
      wrong: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis } }',
      ),
      right: lines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    },
  }),
  'cloud/managed-identity-replaced': entry<None>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A credential type that newer versions may not know',
    message: () =>
      `from service version ${since} on, public sources have ${allOf(by)} in place of ${quoted(replaced)}`,
    help: () => `use ${oneOf([...by, still])}, or find out whether the site still takes ${quoted(replaced)}`,
    explanation: paragraph(
      `The charts of ${since} offer ${allOf(by)} where those before had ${quoted(replaced)}.`,
      `${quoted(still)} is reported before and after.`,
      `A site of version ${since} or newer may still take ${quoted(replaced)}: then leave it.`,
    ),
    example: {
      wrong: lines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential: { type: MANAGED-IDENTITY, secret: { storageAccountName: gis } }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
      right: lines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential:',
        '      type: STORAGE-ACCOUNT-KEY',
        '      secret: { storageAccountName: gis, storageAccountKey: { env: LANDFORM_ACCOUNT_KEY } }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
    },
  }),
} as const
