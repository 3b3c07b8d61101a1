import { listDocumentedParameters } from './fields.js'
import { operationPaths } from './operation-paths.js'
import { exportSiteParameters, format, type OperationName, type Parameter, token } from './parameter.js'
import { findIntroduction, type ServiceVersion } from './versions.js'

interface Operation {
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
const deleteAllParameters = [
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
    path: operationPaths.configure,
    body: 'multipart',
    since: configureSince,
    section: '4.3',
    parameters: [...listDocumentedParameters('configure'), format('4.3', configureSince, 'no')],
  },
  update: {
    method: 'POST',
    path: operationPaths.update,
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
    path: operationPaths.exportSite,
    body: 'form',
    since: findIntroduction('exportSite'),
    section: '4.1',
    parameters: exportSiteParameters,
  },
  deleteAll: {
    method: 'POST',
    path: operationPaths.deleteAll,
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

/** The name of a service in the path of an operation. Service §4.2; services in folders are from public sources. */
export interface ServiceName {
  readonly folder?: string
  readonly name: string
  readonly type: (typeof webhookServiceTypes)[number]
}

/**
 * The form of a path segment, in any script. It has no dot at the beginning, so that no name leads to another path, and no
 * slashes, percent signs or invisible characters. The document does not show which names the service allows.
 */
const segment = /^[\p{L}\p{N}_(][\p{L}\p{M}\p{N}_ .()-]{0,119}$/u

/**
 * Parses `<ServiceName>.<ServiceType>` or `<Folder>/<ServiceName>.<ServiceType>`; `undefined` for anything else. Only
 * geoprocessing and feature services have webhooks, so another type is a mistake. Service §1, §4.2.
 */
export function parseServiceName(text: string): ServiceName | undefined {
  const slash = text.indexOf('/')
  const dot = text.lastIndexOf('.')
  const name = text.slice(slash + 1, Math.max(dot, 0))
  const type = webhookServiceTypes.find(known => known === text.slice(dot + 1))
  if (type === undefined || !segment.test(name)) return undefined
  if (slash === -1) return { name, type }
  const folder = text.slice(0, slash)
  return segment.test(folder) ? { folder, name, type } : undefined
}

export function formatServiceName({ folder, name, type }: ServiceName): string {
  return `${folder === undefined ? '' : `${folder}/`}${name}.${type}`
}
