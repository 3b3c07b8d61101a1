import type { OperationName } from '../../contract/operation-name.js'
import { immediateSpelling, stageNames, stageStates } from '../../contract/stages.js'
import { inaccessibleLocationCode, results, rootResources, siteStates } from '../../contract/states.js'
import { findIntroduction, includes, type ServiceVersion } from '../../contract/versions.js'
import { isObject, type JsonObject } from '../json-schema.js'
import { type ResponseName, responseSchemas } from '../response-schemas.js'
import { buildErrorExample, buildResponseExamples } from './answer-examples.js'
import { amendSchema, buildComponentReference, convertResponse } from './wire-schema.js'

const warningSince = findIntroduction('exportSite success with warning')

/** The schema of each response, by its name in the document. */
const names: Readonly<Record<ResponseName, string>> = {
  root: 'RootResource',
  exportResult: 'ExportResult',
  done: 'Done',
  error: 'ErrorBody',
}

const answerOf: Readonly<Record<OperationName, Exclude<ResponseName, 'error'>>> = {
  root: 'root',
  configure: 'root',
  update: 'done',
  exportSite: 'exportResult',
  deleteAll: 'done',
}

/** Builds the response schemas of one version. Service §2.1 to §2.3. */
export function buildResponseComponents(version: ServiceVersion): Readonly<Record<string, JsonObject>> {
  return {
    [names.root]: amendSchema(excludeError(convertResponse(responseSchemas.root)), {
      resources: { examples: [rootResources] },
      status: { 'x-not-shown': 'its content before the configuration has begun' },
      'status.state': {
        examples: Object.values(siteStates),
        'x-not-shown': 'other states, including failures',
      },
      'status.stages.name': { enum: [...stageNames, ...Object.values(immediateSpelling)] },
      'status.stages.state': { enum: stageStates, 'x-not-shown': 'the transitions' },
    }),
    [names.exportResult]: buildExportResult(version),
    [names.done]: convertResponse(responseSchemas.done),
    [names.error]: amendSchema(convertResponse(responseSchemas.error), {
      'error.code': {
        examples: [inaccessibleLocationCode],
        'x-not-shown': `other codes than ${inaccessibleLocationCode}`,
      },
    }),
  }
}

/**
 * Builds the responses of one operation. HTTP status codes are not documented, so an error body can have any. Only
 * `exportSite` is documented to reject requests. Service §2.2, §7.
 */
export function buildResponses(operation: OperationName, version: ServiceVersion): JsonObject {
  const refuses = operation === 'exportSite'
  const error: JsonObject = {
    ...buildComponentReference(names.error),
    ...(refuses
      ? {}
      : { 'x-not-shown': 'error responses of this operation; the body is the one of `exportSite`' }),
  }
  const examples = buildResponseExamples(operation, version)
  return {
    '200': {
      description: 'The response, or an error body.',
      content: {
        'application/json': {
          schema: { oneOf: [buildComponentReference(names[answerOf[operation]]), error] },
          examples: refuses ? { ...examples, ...buildErrorExample(version) } : examples,
        },
      },
      'x-not-shown': 'HTTP status; media type',
    },
    default: {
      description: refuses ? 'An error body.' : 'An error.',
      content: { 'application/json': { schema: error } },
      'x-not-shown': `HTTP status; media type; ${refuses ? 'other errors' : 'error responses of this operation'}`,
    },
  }
}

/** No field of the root resource is required, so an error body would match it, too. */
function excludeError(schema: JsonObject): JsonObject {
  return { ...schema, not: { required: Object.keys(responseSchemas.error.properties ?? {}) } }
}

/** Restricts the result to success before the version that introduced the warning. Service §2.1, §9. */
function buildExportResult(version: ServiceVersion): JsonObject {
  const schema = convertResponse(responseSchemas.exportResult)
  if (includes(version, warningSince)) return amendSchema(schema, { messages: { 'x-since': warningSince } })
  const { messages: _, ...fields } = isObject(schema['properties']) ? schema['properties'] : {}
  return amendSchema({ ...schema, properties: fields }, { status: { enum: [results.success] } })
}
