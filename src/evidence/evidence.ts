import { otherReadings, type Reading, settingReadings } from '../contract/readings.js'
import { rootResources } from '../contract/responses.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

export type { AnswerShape, Evidence, EvidenceEntry } from './generated/evidence.js'

/** Longer response bodies are ignored. */
export const maxBodyBytes = 1024 * 1024

/** The most data stores that are visited. Each takes one request per resource, and few sites have more. */
export const maxStores = 20

/** The root resource. Service §2.3. */
export const rootPath = ''

/**
 * The resources that are visited once: the documented children of the root resource (Service §2.3), and those that
 * public sources report. None of them is an operation: a GET of `configure` or `exportSite` might execute it.
 */
export const visitedResources: readonly Pick<Reading, 'path' | 'query'>[] = [
  ...rootResources.map(name => ({ path: `/${name}` })),
  otherReadings.upgrades,
  ...Object.values(settingReadings),
  { path: '/system/upgrades/history' },
  otherReadings.dataStores,
]

/** Lists the data store identifiers in any list of the body. Skips others, because they could escape the request path. */
export function listStoreIds(body: JsonValue): readonly string[] {
  return listEntries(body).flatMap(({ id }) => (typeof id === 'string' && identifier.test(id) ? [id] : []))
}

/** Matches text that is safe as one segment of a path. */
export const identifier = /^[\w-]{1,64}$/

/** Lists the objects in all lists of a body. */
export function listEntries(body: JsonValue): readonly JsonObject[] {
  if (!isObject(body)) return []
  return Object.values(body).flatMap(value => (Array.isArray(value) ? value.filter(isObject) : []))
}
