import { dataStoreResources, exploredResources, readableResources } from '../contract/field-notes.js'
import { rootResources } from '../contract/responses.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'

/** What `landform probe` writes: how a site answers, and no value of it. */
export interface Evidence {
  readonly formatVersion: 1
  /** The version of Landform. */
  readonly tool: string
  /** The day, such as `2026-11-24`. */
  readonly probedOn: string
  readonly observations: readonly EvidenceEntry[]
}

/** One GET, and what came back. */
export interface EvidenceEntry {
  /** The path below the base URL; `{store}` is the identifier of a data store. */
  readonly resource: string
  /** The number of the data store, from 1, in the order of the list of stores. */
  readonly store?: number
  /** True if a token went along. */
  readonly signedIn: boolean
  readonly answer: AnswerShape
  readonly milliseconds: number
}

/** The structure of an answer. Of a body that is not JSON its kind alone is kept. */
export type AnswerShape =
  | { readonly kind: 'json'; readonly status: number; readonly body: JsonValue }
  | {
      readonly kind: 'redirect'
      readonly status: number
      /** `unclear`: without a target, or with one that is no address. */
      readonly to: 'sign-in' | 'slash' | 'elsewhere' | 'unclear'
    }
  /** Nothing is kept of these bodies; a compressed one is not read. */
  | {
      readonly kind: 'html' | 'text' | 'empty' | 'compressed'
      readonly status: number
    }
  /** No complete answer came back. */
  | { readonly kind: 'none' }

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
export const visitedResources: readonly string[] = [
  ...rootResources.map(name => `/${name}`),
  ...Object.values(readableResources).map(({ path }) => path),
  '/system/upgrades/history',
  ...Object.values(exploredResources),
]

/** The resources of each data store. */
export const storeResources: readonly string[] = dataStoreResources.map(
  part => `${exploredResources.dataStores}/{store}/${part}`,
)

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
