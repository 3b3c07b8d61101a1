import { compareQuantities } from '../contract/quantity.js'
import { compareVersions, parseVersion } from '../contract/versions.js'
import type { JsonValue } from '../schema/json-schema.js'

/** Compares two numbers, quantities or versions: below, at or above zero; `undefined` for values without an order. */
export function compare(one: JsonValue, other: JsonValue): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return undefined
  const sizes = compareQuantities(one, other)
  if (sizes !== undefined) return sizes
  const [left, right] = [parseVersion(one), parseVersion(other)]
  return left === undefined || right === undefined ? undefined : compareVersions(left, right)
}

/** True for equal values, and for the same quantity in two spellings. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  return typeof one === 'string' && typeof other === 'string' && compareQuantities(one, other) === 0
}
