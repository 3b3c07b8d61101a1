import { distance } from 'fastest-levenshtein'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'

/**
 * Finds the candidate that the user most likely meant; `undefined` if none is similar. Ignores case, `_` and `-`;
 * a long prefix of exactly one candidate is similar enough.
 */
export function findSimilar(written: string, candidates: readonly string[]): string | undefined {
  const wanted = normalizeName(written)
  const [nearest] = rankCandidates(written, candidates)
  if (nearest === undefined || wanted.length === 0) return undefined
  const tolerated = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  if (nearest.far <= tolerated) return nearest.candidate
  const begun = candidates.filter(candidate => normalizeName(candidate).startsWith(wanted))
  return wanted.length >= 4 && begun.length === 1 ? begun[0] : undefined
}

/** Finds the only candidate that is a prefix or suffix of the written name, or the reverse. */
export function findRelated(written: string, candidates: readonly string[]): string | undefined {
  const wanted = normalizeName(written)
  const found = candidates.filter(candidate => {
    const [short = '', long = ''] = [wanted, normalizeName(candidate)].sort((a, b) => a.length - b.length)
    return short.length >= 5 && (long.startsWith(short) || long.endsWith(short))
  })
  return found.length === 1 ? found[0] : undefined
}

/**
 * Finds the candidate that the user certainly meant, for an automatic fix: equal except for case, `_`, `-` and blanks,
 * or one letter away from a name of at least five, with no other candidate as close. A different digit is never a
 * typing mistake: `v2` does not mean `v1`.
 */
export function findCertainMatch(written: string, candidates: readonly string[]): string | undefined {
  const [nearest, second] = rankCandidates(written, candidates)
  if (nearest === undefined || nearest.far === second?.far) return undefined
  const [wanted, meant] = [normalizeName(written), normalizeName(nearest.candidate)]
  const near = nearest.far === 1 && meant.length >= 5 && extractDigits(wanted) === extractDigits(meant)
  return nearest.far === 0 || near ? nearest.candidate : undefined
}

/** Finds the candidate that differs only in case. */
export function findInOtherCase(written: string, candidates: readonly string[]): string | undefined {
  return candidates.find(candidate => candidate.toLowerCase() === written.toLowerCase())
}

/** Describes text that is not a known value; `undefined` for a known value, or for a value that is not text. */
export function describeUnknownValue(written: JsonValue, known: readonly string[]) {
  if (typeof written !== 'string' || written === '' || known.includes(written)) return undefined
  return {
    found: written,
    suggestion: findSimilar(written, known),
    otherCase: findInOtherCase(written, known),
  }
}

/** Lists the missing fields of a map that one of its unknown keys most likely means. */
export function findMisspelledFields(map: JsonObject, fields: readonly string[]): readonly string[] {
  const unknown = Object.keys(map).filter(name => !fields.includes(name))
  if (unknown.length === 0) return unknown
  const absent = fields.filter(name => !(name in map))
  return unknown.flatMap(name => findSimilar(name, absent) ?? [])
}

/** Tests whether a map has none of these fields and most of its keys resemble none. */
export function hasOtherShape(map: JsonObject, allowed: readonly string[]): boolean {
  const keys = Object.keys(map)
  const foreign = keys.filter(name => findSimilar(name, allowed) === undefined)
  return !keys.some(name => allowed.includes(name)) && foreign.length * 2 > keys.length
}

function rankCandidates(written: string, candidates: readonly string[]) {
  const wanted = normalizeName(written)
  return candidates
    .map(candidate => ({ candidate, far: distance(wanted, normalizeName(candidate)) }))
    .sort((a, b) => a.far - b.far)
}

function normalizeName(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ ]/g, '')
}

function extractDigits(text: string): string {
  return text.replaceAll(/\D/g, '')
}
