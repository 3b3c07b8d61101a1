import { findIntroduction, type ServiceVersion } from './versions.js'

/** The encoding of a value: plain text, JSON text, or a file part. */
type Encoding = 'text' | 'json' | 'file'

/** One request parameter of one operation. `meaning` is the sentence that schemas and help texts show. */
export interface Parameter {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean text' | 'JSON object' | 'JSON array' | 'file'
  readonly encoding: Encoding
  /** `not-shown` if the service document does not show whether it is optional. */
  readonly required: 'yes' | 'no' | 'not-shown'
  readonly since: ServiceVersion
  readonly meaning: string
  readonly section: string
  /** The value must never be shown, stored or logged. */
  readonly secret?: true
  /** The request variants with the parameter, if there are several. */
  readonly variants?: readonly ExportVariant[]
}

/** The three request variants of `exportSite`, by target store. Service §4.1. */
export const exportVariants = ['folder', 'bucket', 'container'] as const
type ExportVariant = (typeof exportVariants)[number]

/** The parameter `f`, which every operation has. Service §4.0. */
export const format = (
  section: string,
  since: ServiceVersion,
  required: Parameter['required'] = 'not-shown',
) =>
  ({
    name: 'f',
    type: 'string',
    encoding: 'text',
    required,
    since,
    section,
    meaning: 'Format of the answer.',
  }) as const satisfies Parameter

/** A query parameter with a unique value, so that no cache has the URL. The service does not know it, and ignores it. */
export const cacheBuster = '_'

/** The parameter `token`, sent in the body. Service §5. */
export const token = (section: string, since: ServiceVersion) =>
  ({
    name: 'token',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since,
    section,
    secret: true,
    meaning: 'The access token is sent in the body of requests.',
  }) as const satisfies Parameter

/** The response formats seen in the examples; the allowed values are not shown. Service §4.0. */
export const responseFormats = ['json', 'pjson'] as const

/** The operations that the service document describes. Service §4. */
export type OperationName = 'root' | 'configure' | 'update' | 'exportSite' | 'deleteAll'

/** The parameters of `exportSite` in its three variants. Service §4.1. */
export const exportSiteParameters = [
  {
    name: 'location',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: exportVariants,
    meaning: 'Folder that the service can write to; with a bucket, the file in it only refers to the bucket.',
  },
  {
    name: 'validate',
    type: 'boolean text',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite validate'),
    section: '4.1',
    variants: exportVariants,
    meaning: 'Only validates that the location, and the bucket or container, is accessible; exports nothing.',
  },
  {
    name: 'backupObjectStore',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: ['bucket', 'container'],
    meaning: 'Name of the backup bucket, or URL of the backup container.',
  },
  {
    name: 'backupObjectStoreRegion',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: ['bucket'],
    meaning: 'Region of the backup bucket.',
  },
  {
    name: 'backupObjectStoreConnectionStr',
    type: 'JSON object',
    encoding: 'json',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: ['container'],
    secret: true,
    meaning: 'Connection to the backup container.',
  },
  { ...format('4.1', findIntroduction('exportSite')), variants: exportVariants },
] as const satisfies readonly Parameter[]

/** The fields of `backupObjectStoreConnectionStr`. Service §4.1. */
export const connectionStringFields = ['accountName', 'accountKey', 'accountEndpoint'] as const
