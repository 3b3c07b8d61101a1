import type { OperationName } from '../../contract/operation-name.js'
import { exportFileEnding, inaccessibleLocationCode, results, siteStates } from '../../contract/states.js'
import { findIntroduction, includes, type ServiceVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'
import { locationExample } from './body-examples.js'
import { buildRootExample } from './root-example.js'

const exportFile = `${locationExample}/20260304-050607${exportFileEnding}`

/** Creates complete responses of one operation, by the names of the document. */
export function buildResponseExamples(operation: OperationName, version: ServiceVersion): JsonObject {
  switch (operation) {
    case 'root':
      return {
        ready: { summary: 'The organization exists', value: buildRootExample(version, siteStates.done) },
      }
    case 'configure':
      return { accepted: { summary: 'It has begun', value: buildRootExample(version, siteStates.running) } }
    case 'exportSite':
      return Object.fromEntries(
        exportExamples
          .filter(example => includes(version, example.since))
          .map(({ name, summary, value }) => [name, { summary, value }]),
      )
    case 'update':
    case 'deleteAll':
      return { done: { summary: 'It is done', value: { status: results.success } } }
    default:
      return operation satisfies never
  }
}

/** The one documented error, since the version that introduced it. Service §7. */
export function buildErrorExample(version: ServiceVersion): JsonObject {
  if (!includes(version, findIntroduction('exportSite validate'))) return {}
  const message = 'The location cannot be written. Make it accessible to the service account.'
  const value = { error: { code: inaccessibleLocationCode, message, details: null } }
  return { inaccessible: { summary: 'A location that the service cannot write to', value } }
}

const exportExamples: readonly {
  readonly name: string
  readonly summary: string
  readonly since: ServiceVersion
  readonly value: JsonObject
}[] = [
  {
    name: 'exported',
    summary: 'An export was written',
    since: findIntroduction('exportSite'),
    value: { status: results.success, location: exportFile },
  },
  {
    name: 'incomplete',
    summary: 'The export was written, but items are missing',
    since: findIntroduction('exportSite success with warning'),
    value: {
      status: results.warning,
      location: exportFile,
      messages: ['Two items of the database have no content.'],
    },
  },
  {
    name: 'accessible',
    summary: 'The location can be written',
    since: findIntroduction('exportSite validate'),
    value: { status: results.success },
  },
]
