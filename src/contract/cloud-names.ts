import type { ProviderKind } from './cloud.js'

/** The published rule of a provider for a name. */
export interface NameGrammar {
  readonly pattern: RegExp
  /** The rule in words, as the object of "use". */
  readonly rule: string
  readonly example: string
  readonly source: string
}

const s3 = 'Amazon S3: bucket naming rules'
const azure = 'Azure Storage: naming and referencing containers, storage account overview'
const google = 'Google Cloud Storage: bucket name requirements'

const endpoint = (source: string, example: string): NameGrammar => ({
  pattern: /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9][a-z0-9-]{0,62}(?::\d{1,5})?$/i,
  rule: 'a URL with its scheme, without a path and without a slash at the end',
  example,
  source,
})
/** Object keys allow nearly every character. This rule rejects paths that name a scheme, or that lead elsewhere. */
const rootDir: NameGrammar = {
  pattern: /^(?!\w+:\/\/)(?!.*\\)(?!.*\/\/)(?!(?:.*\/)?\.{1,2}(?:\/|$)).{1,900}$/,
  rule: 'a folder without a scheme, a bucket, `\\`, `//`, `.` or `..`',
  example: 'prod',
  source: 'Amazon S3: object key names; Azure Storage: blob names; Google Cloud Storage: object names',
}
const regionEndpointUrl = endpoint('Amazon S3: endpoints', 'https://s3.eu-west-1.amazonaws.com')
const accountEndpointUrl = endpoint(azure, 'https://gisobjects.blob.core.windows.net')
const storageAccountName: NameGrammar = {
  pattern: /^[a-z0-9]{3,24}$/,
  rule: '3 to 24 lowercase letters and digits',
  example: 'gisobjects',
  source: azure,
}

/** The rules by kind of provider and field. */
export const cloudNames: Readonly<Record<ProviderKind, Readonly<Record<string, NameGrammar>>>> = {
  bucket: {
    bucketName: {
      pattern:
        /^(?!xn--|sthree-|\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$|^arn:[a-z-]+:s3[a-z-]*:[a-z0-9-]*:\d{12}:accesspoint[/:]\S+$/,
      rule: '3 to 63 lowercase letters, digits, `-` and `.`, with a letter or digit at both ends',
      example: 'gis-objects',
      source: s3,
    },
    region: {
      pattern: /^[a-z]{2,}(?:-[a-z]+)+-\d{1,2}[a-z]?$/,
      rule: 'the code of a region',
      example: 'eu-west-1',
      source: 'AWS: Regions and Zones',
    },
    rootDir,
    regionEndpointUrl,
  },
  container: {
    containerName: {
      pattern: /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$|^\$(?:root|web)$/,
      rule: '3 to 63 lowercase letters, digits and single `-`, with a letter or digit at both ends',
      example: 'gis-objects',
      source: azure,
    },
    storageAccountName,
    managedIdentityClientId: {
      pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      rule: 'the client ID of the identity, a GUID',
      example: '00000000-0000-0000-0000-000000000001',
      source: 'Microsoft Entra: managed identities',
    },
    rootDir,
    accountEndpointUrl,
    regionEndpointUrl: accountEndpointUrl,
  },
  'regionless-bucket': {
    bucketName: {
      pattern:
        /^(?!goog|\d+\.\d+\.\d+\.\d+$)(?!.*google)(?!.*\.\.)(?=.{3,63}$|.*\.)[a-z0-9](?:[a-z0-9_.-]{1,220})[a-z0-9]$/,
      rule: '3 to 63 lowercase letters, digits, `-`, `_` and `.`, with a letter or digit at both ends',
      example: 'gis-objects',
      source: google,
    },
    rootDir,
  },
}

/** The names that other servers with the S3 protocol may accept. */
const ownBucket = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/
const anyRegion = /^\S+$/

/** True if the provider accepts the value, as far as its rules say. `endpointUrl` is that of the connection, if it has one. */
export function isAcceptedName(
  { pattern }: NameGrammar,
  field: string,
  value: string,
  endpointUrl: unknown,
): boolean {
  const isOwn =
    typeof endpointUrl === 'string' && !/\.amazonaws\.com(?:\.cn)?(?::\d+)?\/?$/i.test(endpointUrl)
  if (isOwn && field === 'bucketName') return ownBucket.test(value)
  if (isOwn && field === 'region') return anyRegion.test(value)
  return pattern.test(value)
}

/** A contradiction between the fields of a location, or a zone instead of its region. */
export type PlaceDoubt =
  | { readonly kind: 'zone'; readonly field: 'region'; readonly found: string; readonly region: string }
  | {
      readonly kind: 'other-region' | 'other-account'
      readonly field: 'regionEndpointUrl' | 'accountEndpointUrl'
      readonly found: string
      readonly named: string
    }

/** Finds contradictions in the location of a connection. AWS: Regions and Zones; Azure Storage: storage account overview. */
export function* findPlaceDoubts(
  connection: Readonly<Record<string, unknown>>,
  account: unknown,
): Generator<PlaceDoubt> {
  const { region, regionEndpointUrl: regional, accountEndpointUrl: ofAccount } = connection
  const [, zone] =
    typeof region === 'string' ? (/^([a-z]{2,}(?:-[a-z]+)+-\d{1,2})[a-z]$/.exec(region) ?? []) : []
  if (zone !== undefined) yield { kind: 'zone', field: 'region', found: String(region), region: zone }
  const [, named] = /[./]s3[.-]([a-z]{2,}(?:-[a-z]+)+-\d{1,2})\.amazonaws\.com/.exec(String(regional)) ?? []
  if (named !== undefined && typeof region === 'string' && named !== (zone ?? region))
    yield { kind: 'other-region', field: 'regionEndpointUrl', found: named, named: region }
  const [, owner] = /^https?:\/\/([a-z0-9]+)\.(?:blob|dfs)\./.exec(String(ofAccount)) ?? []
  if (owner !== undefined && typeof account === 'string' && owner !== account)
    yield { kind: 'other-account', field: 'accountEndpointUrl', found: owner, named: account }
}
