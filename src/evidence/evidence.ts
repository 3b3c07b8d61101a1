import { otherReadings, type Reading, settingReadings } from '../contract/readings.js'
import { rootResources } from '../contract/responses.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

export type { AnswerShape, Evidence, EvidenceEntry } from './generated/evidence.js'

/** A longer answer counts as none. */
export const maxBodyBytes = 1024 * 1024

/** A site with more stores is unusual; each takes a request for each of its resources. */
export const maxStores = 20

/** The root resource. Service §2.3. */
export const rootPath = ''

/**
 * The resources that are visited once: the documented children of the root resource (Service §2.3), and those that are
 * reported. None of them is an operation: a GET of `configure` or `exportSite` might carry it out.
 */
export const visitedResources: readonly Pick<Reading, 'path' | 'query'>[] = [
  ...rootResources.map(name => ({ path: `/${name}` })),
  otherReadings.upgrades,
  ...Object.values(settingReadings),
  { path: '/system/upgrades/history' },
  otherReadings.dataStores,
]

/** Lists the identifiers of data stores, wherever a list of the answer has them; others could leave the path. */
export function listStoreIds(body: JsonValue): readonly string[] {
  return listEntries(body).flatMap(({ id }) => (typeof id === 'string' && identifier.test(id) ? [id] : []))
}

/** A text that can be part of a path. */
export const identifier = /^[\w-]{1,64}$/

/** Lists the objects in the lists of an answer. */
export function listEntries(body: JsonValue): readonly JsonObject[] {
  if (!isObject(body)) return []
  return Object.values(body).flatMap(value => (Array.isArray(value) ? value.filter(isObject) : []))
}
