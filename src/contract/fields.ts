import {
  reportedLogLevels,
  reportedSystemProperties,
  reportedUserTypes,
  serverLicenseBefore,
  serverLicensePart,
} from './field-notes.js'
import {
  type FieldRow,
  isQuirk,
  logLevelField,
  otherOperations as others,
  profileField,
  quirks,
} from './field-row.js'
import { type Parameter, token } from './parameter.js'
import { defaultProfile, profileMeanings } from './profiles.js'
import { findIntroduction } from './versions.js'

const administrator = { immutable: 'the initial administrator', part: '/spec/administrator' } as const
const account = { ...administrator, changedBy: [others.updateUser] } as const
const license = { immutable: 'the license it is created with', part: '/spec/license' } as const

/**
 * The parameters of `configure` and `update` that have a field in a manifest, in the order of the document. A plain field
 * is one row: its schema, request encoding, emulator check, descriptions and plans are derived from it.
 * Service §4.3, §4.4.
 */
export const fieldRows = {
  configure: [
    {
      name: 'username',
      pointer: '/spec/administrator/username',
      meaning: 'The initial administrator has this user name, of at least six letters, digits or symbols.',
      required: 'yes',
      shape: { kind: 'text', example: 'siteadmin', limit: 'username' },
      sent: 'text',
      later: { ...administrator, changedBy: [] },
    },
    {
      name: 'password',
      pointer: '/spec/administrator/password',
      meaning:
        'The initial administrator has this password, of at least eight characters with a letter and a digit.',
      required: 'yes',
      shape: { kind: 'secret', example: 'not-a-real-password-1', limit: 'password' },
      sent: 'secret',
      later: account,
    },
    {
      name: 'email',
      pointer: '/spec/administrator/email',
      meaning: 'The administrator has this email address.',
      required: 'yes',
      shape: { kind: 'text', example: 'admin@example.org', limit: 'email' },
      sent: 'text',
      later: account,
    },
    {
      name: 'fullName',
      pointer: '/spec/administrator/fullName',
      meaning: 'This is the full name of the administrator.',
      required: 'yes',
      shape: { kind: 'text', example: 'Ada Admin', examples: ['Site Administrator'] },
      sent: 'text',
      later: account,
    },
    {
      name: 'firstName',
      pointer: '/spec/administrator/firstName',
      meaning: 'This is the first name of the administrator.',
      required: 'no',
      shape: { kind: 'text', example: 'Ada' },
      sent: 'text',
      later: account,
    },
    {
      name: 'lastName',
      pointer: '/spec/administrator/lastName',
      meaning: 'This is the last name of the administrator.',
      required: 'no',
      shape: { kind: 'text', example: 'Admin' },
      sent: 'text',
      later: account,
    },
    {
      name: 'description',
      pointer: '/spec/administrator/description',
      meaning: 'This describes the account of the administrator.',
      required: 'no',
      shape: { kind: 'text', example: 'Initial administrator' },
      sent: 'text',
      later: account,
    },
    {
      name: 'securityQuestionIdx',
      pointer: '/spec/administrator/securityQuestion',
      meaning: 'The secret question has this number in the list of fourteen, starting at 1.',
      required: 'yes',
      shape: { kind: 'defined', definition: 'SecurityQuestion' },
      sent: 'question',
      later: account,
    },
    {
      name: 'securityQuestionAns',
      pointer: '/spec/administrator/securityQuestion/answer',
      meaning: 'This is the answer to the secret question.',
      required: 'yes',
      shape: { kind: 'secret', example: 'not a real answer' },
      sent: 'secret',
      later: account,
    },
    {
      name: 'userLicenseTypeId',
      pointer: '/spec/administrator/userType',
      meaning: 'The administrator has this user type; it must be compatible with the Administrator role.',
      required: 'yes',
      shape: { kind: 'text', example: reportedUserTypes[0], examples: reportedUserTypes },
      sent: 'text',
      later: { ...administrator, changedBy: [others.updateUserType] },
    },
    {
      name: 'licenseFile',
      pointer: '/spec/license/file',
      meaning: 'This is the license file of the deployment.',
      required: 'yes',
      shape: { kind: 'file', example: 'licenses/site.json' },
      sent: { fileName: 'license' },
      later: { ...license, changedBy: [others.importLicense] },
    },
    {
      name: serverLicensePart,
      pointer: '/spec/license/serverFile',
      meaning: `This is the server license file, which service versions before ${serverLicenseBefore} require.`,
      required: 'no',
      source: 'reported',
      origin: 'Service §4.3, which shows no name for the parameter',
      shape: { kind: 'file', example: 'licenses/server.ecp' },
      sent: { fileName: 'server-license' },
      later: { ...license, changedBy: [others.importServerLicenses] },
    },
    {
      name: 'volumesConfig',
      pointer: '/spec/volumes',
      meaning: 'These are the eight persistent volumes of the site.',
      required: 'yes',
      shape: { kind: 'defined', definition: 'Volumes' },
      sent: 'volumes',
      later: {
        immutable: 'the eight volumes: sizes, storage classes, labels',
        changedBy: [others.editVolumes, others.migrateDatabase],
      },
    },
    {
      name: 'cloudConfig',
      pointer: '/spec/cloudStorage',
      meaning: 'The site keeps its objects in this cloud storage; each provider has one entry.',
      required: 'no',
      since: findIntroduction('cloudConfig'),
      shape: { kind: 'list', of: 'CloudProvider', mergeBy: ['name'] },
      sent: 'cloudStorage',
      later: {
        immutable: 'the cloud storage',
        changedBy: [others.updateCredential, others.migrateObjectStore],
      },
    },
    {
      name: 'logSettings',
      pointer: '/spec/logLevel',
      meaning:
        'The service logs at this level while it creates the organization; another operation can change it later.',
      required: 'no',
      shape: { kind: 'text', example: 'INFO', examples: reportedLogLevels },
      sent: { member: logLevelField },
      later: { changedBy: [others.editLogSettings] },
    },
    {
      name: 'systemProperties',
      pointer: '/spec/systemProperties',
      meaning:
        'These system properties are set before the organization is created; another operation can change them later.',
      required: 'no',
      shape: { kind: 'map', example: { [reportedSystemProperties[0]]: 1800 } },
      sent: 'json',
      later: { changedBy: [others.updateProperties] },
    },
    {
      name: 'systemArchitectureProfile',
      pointer: '/spec/profile',
      meaning: 'The architecture profile determines the redundancy and the hardware of the deployment.',
      required: 'no',
      shape: { kind: 'choice', options: profileMeanings, default: defaultProfile },
      sent: { member: profileField },
      later: { immutable: 'the architecture profile', changedBy: [] },
    },
    {
      name: 'folderPathsToRegister',
      pointer: '/spec/folders',
      meaning:
        'These root folders of data stores are registered at creation, which avoids stopping services later.',
      required: 'no',
      shape: { kind: 'texts', examples: [['/data/a', '/data/b']] },
      sent: 'folders',
      later: { immutable: 'the root folders registered at creation', changedBy: [others.registerStore] },
    },
    {
      name: 'userManagedStores',
      pointer: '/spec/dataStores',
      meaning: 'The service finds data stores in these roots on a network file share.',
      required: 'no',
      since: findIntroduction('userManagedStores'),
      shape: { kind: 'list', of: 'DataStore', mergeBy: ['clientPath'] },
      sent: 'dataStores',
      later: { immutable: 'the data stores registered at creation', changedBy: [others.registerStore] },
    },
  ],
  update: [
    {
      name: 'upgradeConfig',
      pointer: '/spec/upgrade',
      meaning: 'This is the placement policy of upgrade and update pods.',
      required: 'not-shown',
      shape: { kind: 'defined', definition: 'Upgrade' },
      sent: 'json',
      later: 'update',
    },
    {
      name: 'token',
      pointer: '/spec/site/token',
      meaning: token('4.4', findIntroduction('update')).meaning,
      required: 'not-shown',
      shape: { kind: 'secret', example: 'not-a-real-token' },
      sent: 'secret',
      later: 'update',
    },
  ],
} as const satisfies Readonly<Record<'configure' | 'update', readonly FieldRow[]>>

/** A row with the facts derived from it. */
export type Field = FieldRow & { readonly operation: keyof FieldRows; readonly parameter: Parameter }

type FieldRows = typeof fieldRows
type DocumentedRow<O extends keyof FieldRows> = Exclude<FieldRows[O][number], { readonly source: 'reported' }>

/** The pointer of a field. */
export type FieldPointer = FieldRows[keyof FieldRows][number]['pointer']

const sections = { configure: '4.3', update: '4.4' } as const

/** Every field, in the order of the document. Service §4.3, §4.4. */
export const fields: readonly Field[] = [...buildFields('configure'), ...buildFields('update')]

/** The parameters that have a field in a manifest, and `f`, which every request has. */
export const knownParameters: readonly string[] = [...new Set(['f', ...fields.map(({ name }) => name)])]

/** Lists the fields of one operation, in the order in which they are sent. */
export function listFields(operation: keyof FieldRows): readonly Field[] {
  return fields.filter(field => field.operation === operation)
}

/** Finds the field at a pointer. */
export function findField(pointer: FieldPointer): Field {
  const field = fields.find(candidate => candidate.pointer === pointer)
  if (field === undefined) throw new Error(`no field at ${pointer}`)
  return field
}

/** Lists the documented parameters of an operation that have a field in a manifest. */
export function listDocumentedParameters<O extends keyof FieldRows>(operation: O) {
  return listFields(operation)
    .filter(({ source }) => source !== 'reported')
    .map(({ parameter }) => parameter) as readonly (Parameter & { readonly name: DocumentedRow<O>['name'] })[]
}

function buildFields(operation: keyof FieldRows): readonly Field[] {
  const rows: readonly FieldRow[] = fieldRows[operation]
  return rows.map(row => ({ ...row, operation, parameter: buildParameter(operation, row) }))
}

function buildParameter(operation: keyof FieldRows, row: FieldRow): Parameter {
  const { name, required, meaning, shape } = row
  const type = findParameterType(row)
  return {
    name,
    type,
    encoding: type === 'file' ? 'file' : type.startsWith('JSON') ? 'json' : 'text',
    required,
    since: row.since ?? findIntroduction(operation),
    section: sections[operation],
    ...((shape.kind === 'secret' || shape.kind === 'file') && { secret: true }),
    meaning,
  }
}

function findParameterType({ sent }: FieldRow): Parameter['type'] {
  if (isQuirk(sent)) return quirks[sent]
  if (typeof sent === 'object') return 'member' in sent ? 'JSON object' : 'file'
  return sent === 'json' ? 'JSON object' : 'string'
}
