import { isObject, type JsonValue } from '../schema/json-schema.js'
import { display } from './display.js'
import { type Phrase, phrase } from './phrase.js'

/** Where a longer value is cut. */
const mostCharacters = 400

/** The value of a field for people. Of a secret only where it comes from is known. */
export function valuePhrase(value: JsonValue): Phrase {
  if (isObject(value) && Object.keys(value).length === 1) {
    if (typeof value['env'] === 'string') return phrase`(secret from ${short(value['env'])})`
    if (typeof value['file'] === 'string') return phrase`(secret from file ${short(value['file'])})`
  }
  if (isObject(value) && Object.values(value).every(member => typeof member === 'string'))
    return phrase`${short(pairsOf(value)) || '{}'}`
  return typeof value === 'string' && value !== '' ? phrase`${short(value)}` : jsonPhrase(value)
}

/** Two values that differ, so that the difference shows also where their texts are the same. */
export function differingPhrases(before: JsonValue, after: JsonValue): readonly [Phrase, Phrase] {
  const shown = [valuePhrase(before), valuePhrase(after)] as const
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
