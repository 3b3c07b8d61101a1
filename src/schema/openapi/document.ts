import type { OperationName } from '../../contract/operation-name.js'
import { operations } from '../../contract/operations.js'
import { includes, newestVersion, type ServiceVersion } from '../../contract/versions.js'
import type { JsonObject, JsonValue } from '../json-schema.js'
import { buildResponseComponents } from './answers.js'
import { cloudComponents } from './cloud-components.js'
import { listTags } from './operation-descriptions.js'
import { buildOperation } from './operations.js'
import { buildBodyComponents } from './request-body.js'
import { settingsComponents } from './settings-components.js'
import { storageComponents } from './storage-components.js'

const description = [
  'The four administrative operations and the root resource, exactly as the service document describes them:',
  '- `x-since` is the service version that introduced an operation, a parameter or a result; newer ones than the version of this description are omitted.',
  '- `x-service-section` is the section of the service document.',
  '- `x-variants` names the request variants that carry a parameter.',
  '- `x-not-shown` lists facts that the service document does not show. Nothing is guessed.',
  '',
  'JSON parameters are sent as text in a form field; `contentSchema` describes the content of the text.',
].join('\n')

/**
 * Builds the OpenAPI 3.1 description of one version of the service. Describes the document, not the emulator. `baseUrl`
 * is the default of the server variable. Service §2, §4, §9.
 */
export function buildOpenApiDocument(
  version: ServiceVersion = newestVersion,
  baseUrl = 'https://gis.example.org/arcgis/admin',
): JsonObject {
  const names = (Object.keys(operations) as OperationName[]).filter(name =>
    includes(version, operations[name].since),
  )
  const paths = Object.fromEntries(
    names.map(name => {
      const { method, path } = operations[name]
      return [path === '' ? '/' : path, { [method.toLowerCase()]: buildOperation(name, version) }]
    }),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: 'Administrative operations of a geospatial enterprise platform',
      version,
      description,
    },
    servers: [
      {
        url: '{base_url}',
        description: 'One site.',
        variables: { base_url: { default: baseUrl, description: 'The base URL of the service.' } },
      },
    ],
    tags: listTags(names),
    paths,
    components: { schemas: selectReferenced(paths, buildComponents(version)) },
    'x-not-shown':
      'security schemes; other operations; events; rate limits, size limits and time-outs; compatibility between versions',
  }
}

function buildComponents(version: ServiceVersion): Readonly<Record<string, JsonObject>> {
  return {
    ...buildBodyComponents(version),
    ...storageComponents,
    ...cloudComponents,
    ...settingsComponents,
    ...buildResponseComponents(version),
  }
}

/** Selects the referenced schemas, in their own order. */
function selectReferenced(from: JsonValue, all: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = new Set<string>()
  const visit = (value: JsonValue): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue
      names.add(name)
      visit(all[name] ?? {})
    }
  }
  visit(from)
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
}
