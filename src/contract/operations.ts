import { exportSiteParameters } from './export-site-parameters.js'
import { listDocumentedParameters } from './fields.js'
import type { OperationName } from './operation-name.js'
import { format, type Parameter, token } from './parameter.js'
import { findIntroduction, type ServiceVersion } from './versions.js'

export interface Operation {
  readonly method: 'GET' | 'POST'
  /** Path below `{base_url}`; `{service}` is a placeholder for `<ServiceName>.<ServiceType>`. */
  readonly path: string
  readonly body: 'none' | 'form' | 'multipart'
  readonly since: ServiceVersion
  readonly section: string
  readonly parameters: readonly Parameter[]
}

const configureSince = findIntroduction('configure')

const updateParameters = listDocumentedParameters('update')

/** The parameters of `deleteAll`. Service §4.2. */
export const deleteAllParameters = [
  format('4.2', findIntroduction('deleteAll')),
  token('4.2', findIntroduction('deleteAll')),
] as const satisfies readonly Parameter[]

/** The service types of the `deleteAll` examples. Service §4.2. */
export const webhookServiceTypes = ['GPServer', 'FeatureServer'] as const

/**
 * The five operations. Service §4, §9.
 *
 * The document shows the response of the root resource but not its method; `GET` follows from the conventions, which
 * assign POST to "every operation below", and the root resource is not one of those.
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
    parameters: [...listDocumentedParameters('configure'), format('4.3', configureSince, 'no')],
  },
  update: {
    method: 'POST',
    path: '/system/upgrades/config/update',
    body: 'form',
    since: findIntroduction('update'),
    section: '4.4',
    // The document has the token last.
    parameters: [
      ...updateParameters.filter(({ secret }) => secret !== true),
      format('4.4', findIntroduction('update')),
      ...updateParameters.filter(({ secret }) => secret === true),
    ],
  },
  exportSite: {
    method: 'POST',
    path: '/exportSite',
    body: 'form',
    since: findIntroduction('exportSite'),
    section: '4.1',
    parameters: exportSiteParameters,
  },
  deleteAll: {
    method: 'POST',
    path: '/services/{service}/webhooks/deleteAll',
    body: 'form',
    since: findIntroduction('deleteAll'),
    section: '4.2',
    parameters: deleteAllParameters,
  },
} as const satisfies Record<OperationName, Operation>

/** The parameter names of one operation. */
export type ParameterName<O extends OperationName> = (typeof operations)[O]['parameters'][number]['name']

/** Finds one parameter of one operation. */
export function findParameter<O extends OperationName>(operation: O, name: ParameterName<O>): Parameter {
  const all: readonly Parameter[] = operations[operation].parameters
  const parameter = all.find(candidate => candidate.name === name)
  if (parameter === undefined) throw new Error(`${operation} has no parameter ${name}`)
  return parameter
}
