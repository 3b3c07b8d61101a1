import { distance } from 'fastest-levenshtein'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'

/**
 * The candidate that the user most likely meant; `undefined` when none is near. Capitals, `_` and `-` do not
 * count, and a long beginning of just one candidate is near enough.
 */
export function didYouMean(written: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(written)
  const [nearest] = ranked(written, candidates)
  if (nearest === undefined || wanted.length === 0) return undefined
  const tolerated = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  if (nearest.far <= tolerated) return nearest.candidate
  const begun = candidates.filter(candidate => plain(candidate).startsWith(wanted))
  return wanted.length >= 4 && begun.length === 1 ? begun[0] : undefined
}

/**
 * The candidate that the user meant beyond doubt, so that it may be written for them: the same but for capitals,
 * `_`, `-` and blanks, or one letter away from a name of at least five, and no other is as near. A digit is no
 * slip of the finger: `v2` never means `v1`.
 */
export function surelyMeant(written: string, candidates: readonly string[]): string | undefined {
  const [nearest, second] = ranked(written, candidates)
  if (nearest === undefined || nearest.far === second?.far) return undefined
  const [wanted, meant] = [plain(written), plain(nearest.candidate)]
  const near = nearest.far === 1 && meant.length >= 5 && digits(wanted) === digits(meant)
  return nearest.far === 0 || near ? nearest.candidate : undefined
}

/** The candidate that was written with other capitals. */
export function inOtherCase(written: string, candidates: readonly string[]): string | undefined {
  return candidates.find(candidate => candidate.toLowerCase() === written.toLowerCase())
}

/** What to say of text that is none of the known values; `undefined` where it is one, or no text. */
export function strangerAmong(written: JsonValue, known: readonly string[]) {
  if (typeof written !== 'string' || written === '' || known.includes(written)) return undefined
  return { found: written, suggestion: didYouMean(written, known), otherCase: inOtherCase(written, known) }
}

/** The fields that a map lacks and that a stranger among its keys most likely means. */
export function misspeltFields(map: JsonObject, fields: readonly string[]): readonly string[] {
  const absent = fields.filter(name => !(name in map))
  const strangers = Object.keys(map).filter(name => !fields.includes(name))
  return strangers.flatMap(name => didYouMean(name, absent) ?? [])
}

function ranked(written: string, candidates: readonly string[]) {
  const wanted = plain(written)
  return candidates
    .map(candidate => ({ candidate, far: distance(wanted, plain(candidate)) }))
    .sort((a, b) => a.far - b.far)
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ ]/g, '')
}

function digits(text: string): string {
  return text.replaceAll(/\D/g, '')
}
