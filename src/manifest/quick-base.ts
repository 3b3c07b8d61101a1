import { isObject, type JsonObject } from '../schema/json-schema.js'
import { merge } from './merge.js'
import { readOrdinaryObject } from './quick-check.js'
import type { Source } from './source.js'

/** Returns the merged value of the base at a path; `undefined` if it is not known, or unusual. */
export type FindBase = (path: string) => JsonObject | undefined

/** Merges a value with the base that it extends; `undefined` where the base cannot be found. */
export function mergeWithBase(own: JsonObject, findBase: FindBase): JsonObject | undefined {
  const path = own['extends']
  const base = typeof path === 'string' && path !== '' ? findBase(path) : undefined
  const value = base === undefined ? undefined : merge(own, base).value
  return value !== undefined && isObject(value) ? value : undefined
}

/** Merges the bases of a manifest, nearest first, on the fast path; `undefined` if one of them is unusual. */
export function readCleanBase(bases: readonly Source[]): JsonObject | undefined {
  const [nearest, ...others] = bases
  const own = nearest === undefined ? undefined : readOrdinaryObject(nearest)
  if (own === undefined || !('extends' in own)) return own
  return mergeWithBase(own, () => readCleanBase(others))
}
