import type { ServiceVersion } from './version.js'
import { since } from './versions.js'

/** How a value travels: as plain text, as JSON text, or as a file part. */
export type Encoding = 'text' | 'json' | 'file'

/** One request parameter of one operation. `meaning` is the sentence that schemas and help texts show. */
export interface Parameter {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean text' | 'JSON object' | 'JSON array' | 'file'
  readonly encoding: Encoding
  /** `not-shown` where the service document does not say whether a request may leave it out. */
  readonly required: 'yes' | 'no' | 'not-shown'
  readonly since: ServiceVersion
  readonly meaning: string
  readonly section: string
  /** The value must never be shown, stored or logged. */
  readonly secret?: true
  /** Where several request shapes exist, those that carry the parameter. */
  readonly variants?: readonly ExportVariant[]
}

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Below `{base_url}`; `{service}` stands for `<ServiceName>.<ServiceType>`. */
  readonly path: string
  readonly body: 'none' | 'form' | 'multipart'
  readonly since: ServiceVersion
  readonly section: string
  readonly parameters: readonly Parameter[]
}

/** The three request shapes of `exportSite`, by target store. Service §4.1. */
export const exportVariants = ['folder', 'bucket', 'container'] as const
export type ExportVariant = (typeof exportVariants)[number]

const configureSince = since('configure')

type ConfigureParameter = Omit<Parameter, 'since' | 'section'> & { readonly since?: ServiceVersion }

function ofConfigure<const P extends ConfigureParameter>(parameter: P) {
  return { since: configureSince, section: '4.3', ...parameter }
}

const format = (section: string, since: ServiceVersion, required: Parameter['required'] = 'not-shown') =>
  ({
    name: 'f',
    type: 'string',
    encoding: 'text',
    required,
    since,
    section,
    meaning: 'Format of the answer.',
  }) as const satisfies Parameter

const token = (section: string, since: ServiceVersion) =>
  ({
    name: 'token',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since,
    section,
    secret: true,
    meaning: 'Access token, carried in the body.',
  }) as const satisfies Parameter

/** The response formats seen in the examples; the allowed values are not shown. Service §4.0. */
export const responseFormats = ['json', 'pjson'] as const

/**
 * Every parameter of `configure` that has a name, in the order of the document. Service §4.3.
 *
 * The optional server license file has no name there; see `serverLicensePart` in the field notes.
 */
export const configureParameters = [
  ofConfigure({
    name: 'username',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'User name of the initial administrator: at least six letters, digits or symbols.',
  }),
  ofConfigure({
    name: 'password',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    secret: true,
    meaning: 'Password of the initial administrator: at least eight characters with a letter and a digit.',
  }),
  ofConfigure({
    name: 'email',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'E-mail address of the administrator.',
  }),
  ofConfigure({
    name: 'fullName',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'Full name of the administrator.',
  }),
  ofConfigure({
    name: 'firstName',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'First name of the administrator.',
  }),
  ofConfigure({
    name: 'lastName',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'Last name of the administrator.',
  }),
  ofConfigure({
    name: 'description',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'Description of the administrator account.',
  }),
  ofConfigure({
    name: 'securityQuestionIdx',
    type: 'integer',
    encoding: 'text',
    required: 'yes',
    meaning: 'Position of the secret question in the list of fourteen, counted from 1.',
  }),
  ofConfigure({
    name: 'securityQuestionAns',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    secret: true,
    meaning: 'Answer to the secret question.',
  }),
  ofConfigure({
    name: 'userLicenseTypeId',
    type: 'string',
    encoding: 'text',
    required: 'yes',
    meaning: 'User type of the administrator; it must be compatible with the Administrator role.',
  }),
  ofConfigure({
    name: 'licenseFile',
    type: 'file',
    encoding: 'file',
    required: 'yes',
    secret: true,
    meaning: 'License file of the deployment.',
  }),
  ofConfigure({
    name: 'volumesConfig',
    type: 'JSON object',
    encoding: 'json',
    required: 'yes',
    meaning: 'Storage of the eight persistent volumes.',
  }),
  ofConfigure({
    name: 'cloudConfig',
    type: 'JSON array',
    encoding: 'json',
    required: 'no',
    since: since('cloudConfig'),
    meaning: 'Cloud storage, one entry a provider.',
  }),
  ofConfigure({
    name: 'logSettings',
    type: 'JSON object',
    encoding: 'json',
    required: 'no',
    meaning: 'Log level used while the organization is created.',
  }),
  ofConfigure({
    name: 'systemProperties',
    type: 'JSON object',
    encoding: 'json',
    required: 'no',
    meaning:
      'System properties set before the organization is created; another operation can change them later.',
  }),
  ofConfigure({
    name: 'systemArchitectureProfile',
    type: 'JSON object',
    encoding: 'json',
    required: 'no',
    meaning: 'Architecture profile: how much redundancy and hardware the deployment gets.',
  }),
  ofConfigure({
    name: 'folderPathsToRegister',
    type: 'string',
    encoding: 'text',
    required: 'no',
    meaning: 'Root folders of data stores to register at creation, which avoids stopping services later.',
  }),
  ofConfigure({
    name: 'userManagedStores',
    type: 'JSON array',
    encoding: 'json',
    required: 'no',
    since: since('userManagedStores'),
    meaning: 'Roots of data stores on a network file share.',
  }),
  format('4.3', configureSince, 'no'),
] as const satisfies readonly Parameter[]

/** The parameters of `update`. Service §4.4. */
export const updateParameters = [
  {
    name: 'upgradeConfig',
    type: 'JSON object',
    encoding: 'json',
    required: 'not-shown',
    since: since('update'),
    section: '4.4',
    meaning: 'Placement policy for the pods that upgrades and updates run in.',
  },
  format('4.4', since('update')),
  token('4.4', since('update')),
] as const satisfies readonly Parameter[]

/** The parameters of `exportSite` in its three variants. Service §4.1. */
export const exportSiteParameters = [
  {
    name: 'location',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: since('exportSite'),
    section: '4.1',
    variants: exportVariants,
    meaning:
      'Folder the service can write to; with a bucket, the file written there only points to the bucket.',
  },
  {
    name: 'validate',
    type: 'boolean text',
    encoding: 'text',
    required: 'not-shown',
    since: since('exportSite validate'),
    section: '4.1',
    variants: exportVariants,
    meaning: 'Only checks that the location, and the bucket or container, can be reached; exports nothing.',
  },
  {
    name: 'backupObjectStore',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: since('exportSite'),
    section: '4.1',
    variants: ['bucket', 'container'],
    meaning: 'Name of the backup bucket, or URL of the backup container.',
  },
  {
    name: 'backupObjectStoreRegion',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: since('exportSite'),
    section: '4.1',
    variants: ['bucket'],
    meaning: 'Region of the backup bucket.',
  },
  {
    name: 'backupObjectStoreConnectionStr',
    type: 'JSON object',
    encoding: 'json',
    required: 'not-shown',
    since: since('exportSite'),
    section: '4.1',
    variants: ['container'],
    secret: true,
    meaning: 'How to connect to the backup container.',
  },
  { ...format('4.1', since('exportSite')), variants: exportVariants },
] as const satisfies readonly Parameter[]

/** The fields of `backupObjectStoreConnectionStr`. Service §4.1. */
export const connectionStringFields = ['accountName', 'accountKey', 'accountEndpoint'] as const

/** The parameters of `deleteAll`. Service §4.2. */
export const deleteAllParameters = [
  format('4.2', since('deleteAll')),
  token('4.2', since('deleteAll')),
] as const satisfies readonly Parameter[]

/** The service types of the `deleteAll` examples. Service §4.2. */
export const webhookServiceTypes = ['GPServer', 'FeatureServer'] as const

/**
 * The five operations. Service §4, §9.
 *
 * The document shows what the root resource answers but not how it is asked for; `GET` is what the conventions
 * leave, since they give POST to "every operation below" and the root resource is none of those.
 */
export const operations = {
  root: {
    method: 'GET',
    path: '',
    body: 'none',
    since: configureSince,
    section: '2.3',
    parameters: [format('4.0', configureSince)],
  },
  configure: {
    method: 'POST',
    path: '/configure',
    body: 'multipart',
    since: configureSince,
    section: '4.3',
    parameters: configureParameters,
  },
  update: {
    method: 'POST',
    path: '/system/upgrades/config/update',
    body: 'form',
    since: since('update'),
    section: '4.4',
    parameters: updateParameters,
  },
  exportSite: {
    method: 'POST',
    path: '/exportSite',
    body: 'form',
    since: since('exportSite'),
    section: '4.1',
    parameters: exportSiteParameters,
  },
  deleteAll: {
    method: 'POST',
    path: '/services/{service}/webhooks/deleteAll',
    body: 'form',
    since: since('deleteAll'),
    section: '4.2',
    parameters: deleteAllParameters,
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** The names of the parameters of one operation. */
export type ParameterName<O extends OperationName> = (typeof operations)[O]['parameters'][number]['name']

/** The entry of one parameter of one operation. */
export function parameterOf<O extends OperationName>(operation: O, name: ParameterName<O>): Parameter {
  const all: readonly Parameter[] = operations[operation].parameters
  const parameter = all.find(candidate => candidate.name === name)
  if (parameter === undefined) throw new Error(`${operation} has no parameter ${name}`)
  return parameter
}
