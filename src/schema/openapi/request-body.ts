import type { OperationName } from '../../contract/operation-name.js'
import { type Operation, operations } from '../../contract/operations.js'
import type { Parameter } from '../../contract/parameter.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { buildBodyExamples } from './body-examples.js'
import { buildParameterSchema, listParameters } from './parameters.js'
import { buildComponentReference, removeUndefined } from './wire-schema.js'

const mediaTypes = {
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const satisfies Record<Exclude<Operation['body'], 'none'>, string>

/** Builds the request body of an operation; `undefined` if it has none. */
export function buildRequestBody(name: OperationName, version: ServiceVersion): JsonObject | undefined {
  const { body }: Operation = operations[name]
  if (body === 'none') return undefined
  const parameters = listParameters(name, version)
  const media = removeUndefined({
    schema: buildComponentReference(formatBodyName(name)),
    encoding: body === 'multipart' ? buildEncoding(parameters) : undefined,
    examples: buildBodyExamples(name, version),
  })
  return removeUndefined({
    required: listRequired(parameters).length > 0 ? true : undefined,
    content: { [mediaTypes[body]]: media },
  })
}

/** Builds the schemas of request bodies, by name. */
export function buildBodyComponents(version: ServiceVersion): Readonly<Record<string, JsonObject>> {
  const names = Object.keys(operations) as OperationName[]
  return Object.fromEntries(names.map(name => [formatBodyName(name), buildBodySchema(name, version)]))
}

function buildBodySchema(name: OperationName, version: ServiceVersion): JsonObject {
  const parameters = listParameters(name, version)
  const required = listRequired(parameters)
  return removeUndefined({
    description: `The parameters of \`${name}\`.`,
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(parameter => [parameter.name, buildParameterSchema(name, parameter)]),
    ),
    required: required.length === 0 ? undefined : required,
    'x-service-section': operations[name].section,
    'x-not-shown':
      name === 'configure' ? 'the name of the part that carries a server license file' : undefined,
  })
}

/**
 * JSON is sent as text: some programs send a part declared as JSON as a file, and the document distinguishes files from
 * other parameters. `contentSchema` describes the structure.
 */
function buildEncoding(parameters: readonly Parameter[]): JsonObject {
  return Object.fromEntries(
    parameters.map(({ name, encoding }) => [
      name,
      { contentType: encoding === 'file' ? 'application/octet-stream' : 'text/plain' },
    ]),
  )
}

function listRequired(parameters: readonly Parameter[]): readonly string[] {
  return parameters.filter(({ required }) => required === 'yes').map(({ name }) => name)
}

function formatBodyName(name: OperationName): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`
}
