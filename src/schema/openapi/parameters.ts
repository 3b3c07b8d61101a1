import type { LimitedSecret, LimitedText } from '../../contract/field-row.js'
import { type Field, listFields } from '../../contract/fields.js'
import { limits, passwordNeeds } from '../../contract/limits.js'
import type { OperationName } from '../../contract/operation-name.js'
import { operations, type ParameterName } from '../../contract/operations.js'
import { type Parameter, responseFormats } from '../../contract/parameter.js'
import { secretQuestions } from '../../contract/questions.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { formatSent } from './sent-text.js'
import { buildChoice, buildComponentReference, removeUndefined } from './wire-schema.js'

const text: JsonObject = {}
const format: JsonObject = {
  examples: responseFormats,
  'x-not-shown': 'the allowed values; the default',
}
const token: JsonObject = { 'x-not-shown': 'how a token is obtained; its lifetime' }

/** JSON text in a form field: a string whose content has its own schema. */
function buildJsonText(contentSchema: JsonObject): JsonObject {
  return { contentMediaType: 'application/json', contentSchema }
}

type OtherSpecifics = Exclude<OperationName, 'configure' | 'update'>

/** The details of the parameters of other operations. A new parameter does not compile without an entry. */
const specifics: { readonly [O in OtherSpecifics]: Readonly<Record<ParameterName<O>, JsonObject>> } = {
  root: { f: format },
  exportSite: {
    location: text,
    validate: { examples: ['true'], 'x-not-shown': 'other values than `true`' },
    backupObjectStore: { 'x-not-shown': 'the full form of the URL of a container' },
    backupObjectStoreRegion: text,
    backupObjectStoreConnectionStr: buildJsonText(buildComponentReference('ContainerConnection')),
    f: format,
  },
  deleteAll: { f: format, token },
}

/** Selects the details of a parameter that the contract does not have. */
function findSpecifics(operation: OperationName): Readonly<Record<string, JsonObject>> {
  if (operation !== 'configure' && operation !== 'update') return specifics[operation]
  return {
    f: format,
    ...Object.fromEntries(listFields(operation).map(field => [field.name, findFieldSpecifics(field)])),
  }
}

function findFieldSpecifics({ shape, sent, parameter, structure, notShown }: Field): JsonObject {
  return removeUndefined({
    ...('limit' in shape && shape.limit !== undefined && limited[shape.limit]),
    ...(sent === 'question' && questions),
    ...(parameter.encoding === 'json' &&
      buildJsonText(
        structure === undefined
          ? { type: parameter.type.replace('JSON ', '') }
          : buildComponentReference(structure),
      )),
    ...(shape.kind === 'choice' && sent === 'text' && buildChoice(shape.options)),
    ...(shape.kind === 'choice' && { default: formatSent(sent, shape.default) }),
    'x-not-shown': notShown,
  })
}

const limited: Readonly<Record<LimitedText | LimitedSecret, JsonObject>> = {
  username: { minLength: limits.usernameCharacters },
  password: {
    minLength: limits.passwordCharacters,
    allOf: Object.values(passwordNeeds).map(({ source }) => ({ pattern: source })),
  },
  email: { format: 'email' },
}

const questions: JsonObject = {
  enum: secretQuestions.map((_, index) => index + 1),
  'x-enumDescriptions': Object.fromEntries(
    secretQuestions.map((question, index) => [String(index + 1), question]),
  ),
}

/** Lists the parameters of an operation in a version. Service §9. */
export function listParameters(operation: OperationName, version: ServiceVersion): readonly Parameter[] {
  const all: readonly Parameter[] = operations[operation].parameters
  return all.filter(({ since }) => includes(version, since))
}

/** Builds the schema of one parameter, with its source and the facts that are not shown. Service §4. */
export function buildParameterSchema(operation: OperationName, parameter: Parameter): JsonObject {
  const { name, type, encoding, meaning, secret, since, section, variants, required } = parameter
  const { 'x-not-shown': open, ...specific } = findSpecifics(operation)[name] ?? {}
  const notShown = [required === 'not-shown' ? whetherRequired : undefined, open].filter(
    part => part !== undefined,
  )
  return removeUndefined({
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

/** The note for a parameter that may be optional. */
const whetherRequired = 'whether it is required'
