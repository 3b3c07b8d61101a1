import type { JsonPointer } from '../../diagnostics/pointer.js'
import { refersToSecret } from '../../plan/fields/recorded.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { display } from '../display.js'
import { formatPhrase, type Phrase, phrase } from '../phrase.js'

/** Where a longer value is cut. */
const mostCharacters = 400

/**
 * The value of a field for people. Of a secret only where it comes from is known; that it is one, the place tells, for
 * a label may have the name `env`.
 */
export function valuePhrase(value: JsonValue, pointer: JsonPointer): Phrase {
  if (isObject(value) && refersToSecret(pointer, value)) {
    if (typeof value['env'] === 'string') return phrase`(secret from ${short(value['env'])})`
    if (typeof value['file'] === 'string') return phrase`(secret from file ${short(value['file'])})`
  }
  if (isObject(value) && Object.values(value).every(member => typeof member === 'string'))
    return phrase`${short(pairsOf(value)) || '{}'}`
  return typeof value === 'string' && value !== '' ? phrase`${short(value)}` : jsonPhrase(value)
}

/** The same for a terminal or a log. */
export function formatValue(pointer: JsonPointer, value: JsonValue): string {
  return formatPhrase(valuePhrase(value, pointer))
}

/** Two values that differ, so that the difference shows also where their texts are the same. */
export function differingPhrases(
  before: JsonValue,
  after: JsonValue,
  pointer: JsonPointer,
): readonly [Phrase, Phrase] {
  const shown = [valuePhrase(before, pointer), valuePhrase(after, pointer)] as const
  return JSON.stringify(shown[0]) === JSON.stringify(shown[1])
    ? [jsonPhrase(before), jsonPhrase(after)]
    : shown
}

function jsonPhrase(value: JsonValue): Phrase {
  return phrase`${short(JSON.stringify(value))}`
}

function pairsOf(value: object): string {
  return Object.entries(value)
    .map(([key, member]) => `${key}=${member}`)
    .sort()
    .join(' ')
}

function short(text: string): string {
  return display(text, mostCharacters)
}
