import type { OperationName } from '../../contract/operation-name.js'
import { type Operation, operations, webhookServiceTypes } from '../../contract/operations.js'
import type { Parameter } from '../../contract/parameter.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { buildResponses } from './answers.js'
import { words } from './operation-descriptions.js'
import { buildParameterSchema, listParameters } from './parameters.js'
import { buildRequestBody } from './request-body.js'
import { removeUndefined } from './wire-schema.js'

const service: JsonObject = {
  name: 'service',
  in: 'path',
  required: true,
  description: '`<ServiceName>.<ServiceType>` of a geoprocessing service or a feature service.',
  schema: {
    type: 'string',
    pattern: '^.+[.][^.]+$',
    examples: webhookServiceTypes.map(type => `Roads.${type}`),
  },
  'x-service-section': operations.deleteAll.section,
  'x-not-shown': `service types other than ${webhookServiceTypes.join(' and ')}`,
}

/** Builds one operation of one version, for the method of the contract in its path item. Service §4. */
export function buildOperation(name: OperationName, version: ServiceVersion): JsonObject {
  const { body, since, section, path }: Operation = operations[name]
  const { tag, summary, description, notShown } = words[name]
  const parameters = listParameters(name, version)
  const inAddress = [
    ...(path.includes('{service}') ? [service] : []),
    ...(body === 'none' ? parameters.map(queryParameter) : []),
  ]
  return removeUndefined({
    operationId: name,
    tags: [tag],
    summary,
    description,
    parameters: inAddress.length === 0 ? undefined : inAddress,
    requestBody: buildRequestBody(name, version),
    responses: buildResponses(name, version),
    'x-since': since,
    'x-service-section': section,
    'x-not-shown': notShown,
  })

  function queryParameter(parameter: Parameter): JsonObject {
    const { description: meaning, ...rest } = buildParameterSchema(name, parameter)
    const { 'x-since': from, 'x-service-section': origin, 'x-not-shown': open, ...schema } = rest
    return removeUndefined({
      name: parameter.name,
      in: 'query',
      description: meaning,
      schema,
      'x-since': from,
      'x-service-section': origin,
      'x-not-shown': open,
    })
  }
}
