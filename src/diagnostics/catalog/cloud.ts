import type { CredentialTypeName } from '../../contract/cloud.js'
import { replacedCredential } from '../../contract/reported-cloud.js'
import { formatAll, formatAlternatives, joinLines, joinSentences, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

const { type: replaced, since, by, still } = replacedCredential

/** Cloud storage. */
export const cloudEntries = {
  'cloud/secret-fields': defineEntry<{
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
    title: 'The secret does not match the credential type',
    message: ({ type, wanted, missing, foreign, strangers }) => {
      const faults = [
        ...(missing.length > 0 ? [`is missing ${formatAll(missing)}`] : []),
        ...(foreign.length > 0 ? [`does not accept ${formatAll(foreign)}`] : []),
        ...(strangers > 0 ? ['contains a field that no credential type has'] : []),
      ]
      return wanted.length === 0
        ? `a credential of type ${quote(type)} must not have \`secret\``
        : `the secret of ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ wanted }) => (wanted.length === 0 ? 'remove it' : `its fields: ${formatAll(wanted)}`),
    explanation: () =>
      joinSentences(
        'Each credential type has its own fields; a role has none, because the cluster authenticates itself.',
        'How the service handles other fields, or a missing one, is not documented.',
        'Set exactly the fields of the type, or choose the type that your fields belong to.',
        'The name of a field that no type has is not shown, because it could be the secret itself.',
      ),
    example: () => ({
      wrong: joinLines(
        'cloudStorage:',
        '  - name: GCP',
        '    credential:',
        '      type: HMAC-KEYS',
        '      secret: { accessKey: { env: LANDFORM_ACCESS_KEY } }',
        '    cloudServices:',
        '      - { name: Google Cloud Storage, connection: { bucketName: gis } }',
      ),
      right: joinLines(
        'cloudStorage:',
        '  - name: GCP',
        '    credential:',
        '      type: HMAC-KEYS',
        '      secret: { accessKey: { env: LANDFORM_ACCESS_KEY }, secretKey: { env: LANDFORM_SECRET_KEY } }',
        '    cloudServices:',
        '      - { name: Google Cloud Storage, connection: { bucketName: gis } }',
      ),
    }),
  }),
  'cloud/credential-fields': defineEntry<{
    readonly type: string
    readonly missing: readonly string[]
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: Helm charts 11.3',
    title: 'The fields beside the secret do not match the credential type',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing.length > 0 ? [`is missing ${formatAll(missing)}`] : []),
        ...(foreign.length > 0 ? [`has no field ${formatAlternatives(foreign)}`] : []),
      ]
      return `a credential of type ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ missing }) =>
      missing.length > 0 ? `add ${formatAll(missing)}` : 'remove it, or correct the credential type',
    explanation: () =>
      joinSentences(
        'A user-assigned identity is named by its client ID, in a field next to `secret`; other types have no such field.',
        'How the service handles an extra field, or a missing one, is not reported.',
      ),
    example: () => ({
      wrong: joinLines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential: { type: USER-ASSIGNED-IDENTITY, secret: { storageAccountName: gis } }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
      right: joinLines(
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
    }),
  }),
  'cloud/connection-fields': defineEntry<{
    readonly type: string
    readonly allowed: readonly string[]
    readonly missing: string | undefined
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The connection does not match the provider',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing === undefined ? [] : [`is missing ${quote(missing)}`]),
        ...(foreign.length > 0 ? [`has no field ${formatAlternatives(foreign)}`] : []),
      ]
      return `a connection with the credential type ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ allowed }) => `its fields: ${formatAll(allowed)}`,
    explanation: () =>
      joinSentences(
        'The credential type determines the provider, and each provider names a storage location in its own way.',
        'A bucket with a role or an access key has a region; a bucket with HMAC keys has none; a storage account has containers.',
        'Use the fields of your provider, or correct the credential type.',
      ),
    example: () => ({
      wrong: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { containerName: gis } }',
      ),
      right: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    }),
  }),
  'cloud/provider-name': defineEntry<{
    readonly type: CredentialTypeName
    readonly found: string
    readonly reported: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'Unusual provider name for the credential type',
    message: ({ type, found }) =>
      `${quote(found)} is not the provider name that public sources use with ${quote(type)}`,
    help: ({ reported }) => `write ${quote(reported)}, or correct the credential type`,
    fix: ({ reported, otherCase }) => (otherCase ? { kind: 'replace', by: reported } : undefined),
    explanation: () =>
      joinSentences(
        'The service document describes the name as a label and does not say whether the service uses it.',
        'In every public example it is `AWS`, `AZURE` or `GCP`, matching the credential type.',
        'A different name may mean that the credential was copied from another provider.',
      ),
    example: () => ({
      wrong: joinLines(
        'cloudStorage:',
        '  - name: aws',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
      right: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    }),
  }),
  'cloud/service-value': defineEntry<{
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
      `${quote(found)} is not documented for ${quote(field)}; the documented value is ${quote(documented)}`,
    help: ({ documented }) => `write ${quote(documented)}, or remove the field: it is the default`,
    fix: ({ documented, otherCase }) => (otherCase ? { kind: 'replace', by: documented } : undefined),
    explanation: () =>
      joinSentences(
        'The service document and every public example show one value for each of `type`, `usage` and `category`.',
        'It is not known whether the service accepts others; it may be case-sensitive.',
        'Omit the field to send the documented value.',
      ),
    example: () => ({
      wrong: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, usage: default, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
      right: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, usage: DEFAULT, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    }),
  }),
  'cloud/region-absent': defineEntry<{ readonly type: CredentialTypeName }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A bucket without a region',
    message: ({ type }) => `the bucket has no \`region\`; every public example with ${quote(type)} has one`,
    help: () => 'add the region of the bucket, such as `eu-west-1`',
    explanation: () =>
      joinSentences(
        'The service document shows a region for these buckets and does not say whether it is required.',
        'Every public example has one; without it the service may use the wrong region.',
        'Add the region that the bucket was created in.',
      ),
    example: () => ({
      wrong: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis } }',
      ),
      right: joinLines(
        'cloudStorage:',
        '  - name: AWS',
        '    credential: { type: IAM-ROLE }',
        '    cloudServices:',
        '      - { name: AWS S3, connection: { bucketName: gis, region: eu-west-1 } }',
      ),
    }),
  }),
  'cloud/managed-identity-replaced': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A credential type that newer service versions may not support',
    message: () =>
      `since service version ${since}, public sources list ${formatAll(by)} instead of ${quote(replaced)}`,
    help: () =>
      `use ${formatAlternatives([...by, still])}, or check whether the site still supports ${quote(replaced)}`,
    explanation: () =>
      joinSentences(
        `The charts of ${since} offer ${formatAll(by)} where earlier ones had ${quote(replaced)}.`,
        `${quote(still)} is reported for both.`,
        `A site of version ${since} or newer may still support ${quote(replaced)}; in that case keep it.`,
      ),
    example: () => ({
      wrong: joinLines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential: { type: MANAGED-IDENTITY, secret: { storageAccountName: gis } }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
      right: joinLines(
        'site: { version: "11.3" }',
        'cloudStorage:',
        '  - name: AZURE',
        '    credential:',
        '      type: STORAGE-ACCOUNT-KEY',
        '      secret: { storageAccountName: gis, storageAccountKey: { env: LANDFORM_ACCOUNT_KEY } }',
        '    cloudServices:',
        '      - { name: Azure Blob Store, connection: { containerName: gis } }',
      ),
    }),
  }),
} as const
