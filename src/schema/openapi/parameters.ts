import { limits, passwordNeeds } from '../../contract/limits.js'
import type { OperationName } from '../../contract/operation-name.js'
import { operations, type ParameterName } from '../../contract/operations.js'
import { type Parameter, responseFormats } from '../../contract/parameter.js'
import { defaultProfile } from '../../contract/profiles.js'
import { secretQuestions } from '../../contract/questions.js'
import { profileField } from '../../contract/structures.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { component, defined } from './wire-schema.js'

const text: JsonObject = {}
const file: JsonObject = {}
const format: JsonObject = {
  examples: responseFormats,
  'x-not-shown': 'the allowed values; the default',
}
const token: JsonObject = { 'x-not-shown': 'how a token is obtained; how long it lives' }

/** JSON text in a field of a form: a string to the form, whose content has a schema of its own. */
function json(name: string, more: JsonObject = {}): JsonObject {
  return { contentMediaType: 'application/json', contentSchema: component(name), ...more }
}

/** What the document says of each parameter beside what the contract has of all. A new one does not compile without. */
const specifics: { readonly [O in OperationName]: Readonly<Record<ParameterName<O>, JsonObject>> } = {
  root: { f: format },
  configure: {
    username: { minLength: limits.usernameCharacters, 'x-not-shown': 'the allowed symbols' },
    password: {
      minLength: limits.passwordCharacters,
      allOf: Object.values(passwordNeeds).map(({ source }) => ({ pattern: source })),
    },
    email: { format: 'email' },
    fullName: text,
    firstName: text,
    lastName: text,
    description: text,
    securityQuestionIdx: {
      enum: secretQuestions.map((_, index) => index + 1),
      'x-enumDescriptions': Object.fromEntries(
        secretQuestions.map((question, index) => [String(index + 1), question]),
      ),
    },
    securityQuestionAns: text,
    userLicenseTypeId: { 'x-not-shown': 'the allowed values' },
    licenseFile: file,
    volumesConfig: json('VolumesConfig'),
    cloudConfig: json('CloudConfig'),
    logSettings: json('LogSettings'),
    systemProperties: json('SystemProperties'),
    systemArchitectureProfile: json('ArchitectureProfile', {
      default: JSON.stringify({ [profileField]: defaultProfile }),
    }),
    folderPathsToRegister: { 'x-not-shown': 'how several folders are written' },
    userManagedStores: json('UserManagedStores'),
    f: format,
  },
  update: { upgradeConfig: json('UpgradeConfig'), f: format, token },
  exportSite: {
    location: text,
    validate: { examples: ['true'], 'x-not-shown': 'other values than `true`' },
    backupObjectStore: { 'x-not-shown': 'the full form of the URL of a container' },
    backupObjectStoreRegion: text,
    backupObjectStoreConnectionStr: json('ContainerConnection'),
    f: format,
  },
  deleteAll: { f: format, token },
}

/** The parameters that an operation has in a version. Service §9. */
export function parametersOf(operation: OperationName, version: ServiceVersion): readonly Parameter[] {
  const all: readonly Parameter[] = operations[operation].parameters
  return all.filter(({ since }) => includes(version, since))
}

/** The schema of one parameter, with its origin and with what the document leaves open. Service §4. */
export function parameterSchema(operation: OperationName, parameter: Parameter): JsonObject {
  const { name, type, encoding, meaning, secret, since, section, variants, required } = parameter
  const known: Readonly<Record<string, JsonObject>> = specifics[operation]
  const { 'x-not-shown': open, ...specific } = known[name] ?? {}
  const notShown = [required === 'not-shown' ? whetherRequired : undefined, open].filter(
    part => part !== undefined,
  )
  return defined({
    description: encoding === 'json' ? `${meaning} The value is JSON text.` : meaning,
    type: encoding === 'file' ? undefined : type === 'integer' ? 'integer' : 'string',
    contentMediaType: encoding === 'file' ? 'application/octet-stream' : undefined,
    writeOnly: secret,
    format: secret === true && encoding !== 'file' ? 'password' : undefined,
    ...specific,
    'x-since': since,
    'x-service-section': section,
    'x-variants': variants,
    'x-not-shown': notShown.length === 0 ? undefined : notShown.join('; '),
  })
}

/** What stands where the document does not say whether a request may leave a parameter out. */
const whetherRequired = 'whether it is required'
