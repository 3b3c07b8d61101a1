import type { OperationName } from '../../contract/operation-name.js'
import { type Operation, operations, webhookServiceTypes } from '../../contract/operations.js'
import type { Parameter } from '../../contract/parameter.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { answersOf } from './answers.js'
import { words } from './operation-words.js'
import { parameterSchema, parametersOf } from './parameters.js'
import { requestBody } from './request-body.js'
import { defined } from './wire-schema.js'

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
export function operationItem(name: OperationName, version: ServiceVersion): JsonObject {
  const { body, since, section, path }: Operation = operations[name]
  const { tag, summary, description, notShown } = words[name]
  const parameters = parametersOf(name, version)
  const inAddress = [
    ...(path.includes('{service}') ? [service] : []),
    ...(body === 'none' ? parameters.map(queryParameter) : []),
  ]
  return defined({
    operationId: name,
    tags: [tag],
    summary,
    description,
    parameters: inAddress.length === 0 ? undefined : inAddress,
    requestBody: requestBody(name, version),
    responses: answersOf(name, version),
    'x-since': since,
    'x-service-section': section,
    'x-not-shown': notShown,
  })

  function queryParameter(parameter: Parameter): JsonObject {
    const { description: meaning, ...rest } = parameterSchema(name, parameter)
    const { 'x-since': from, 'x-service-section': origin, 'x-not-shown': open, ...schema } = rest
    return defined({
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
