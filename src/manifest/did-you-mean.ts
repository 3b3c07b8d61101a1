import { distance } from 'fastest-levenshtein'
import type { JsonObject } from '../schema/json-schema.js'

/**
 * The candidate that the user most likely meant; `undefined` when none is near. Capitals, `_` and `-` do not
 * count, and a long beginning of just one candidate is near enough.
 */
export function didYouMean(written: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_ ]/g, '')
  const wanted = plain(written)
  const ranked = candidates
    .map(candidate => ({ candidate, far: distance(wanted, plain(candidate)) }))
    .sort((a, b) => a.far - b.far)
  const [nearest] = ranked
  if (nearest === undefined || wanted.length === 0) return undefined
  const tolerated = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  if (nearest.far <= tolerated) return nearest.candidate
  const begun = candidates.filter(candidate => plain(candidate).startsWith(wanted))
  return wanted.length >= 4 && begun.length === 1 ? begun[0] : undefined
}

/** The fields that a map lacks and that a stranger among its keys most likely means. */
export function misspeltFields(map: JsonObject, fields: readonly string[]): readonly string[] {
  const absent = fields.filter(name => !(name in map))
  const strangers = Object.keys(map).filter(name => !fields.includes(name))
  return strangers.flatMap(name => didYouMean(name, absent) ?? [])
}
