import type { FieldVerdict, Unknowable, Verdict } from '../../plan/fields/verdict.js'
import { type Phrase, phrase, words } from '../phrase.js'
import { pathOf, placeOf } from './field-rows.js'
import { valuePhrase } from './field-value.js'

/** What is known of one field, as a row of a report. */
export interface VerdictRow {
  readonly name: string
  readonly verdict: Verdict
  readonly value: Phrase
  /** Who says so, and what. */
  readonly reason: Phrase
  readonly place: string
}

/** A row for each field, in the order of the manifest. */
export function verdictRows(fields: readonly FieldVerdict[]): readonly VerdictRow[] {
  return fields.map(field => ({
    name: pathOf(field.pointer),
    verdict: field.verdict,
    value: field.value === undefined ? words('not set') : valuePhrase(field.value, field.pointer),
    reason: reasonOf(field),
    place: placeOf(field),
  }))
}

/** A verdict in a word or two; never by its colour alone. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  equal: 'equal',
  different: 'different',
  recorded: 'recorded only',
  unknowable: 'unknown',
}

/** Why nothing is known of a field, in words of Landform. */
export const unknowableWords: Readonly<Record<Unknowable, string>> = {
  secret: 'a secret: it is never read back, and no trace of it is kept',
  'never-recorded': 'the site does not tell it, and no apply of Landform is recorded',
  upgrading: 'the site does not tell it while an upgrade is under way',
  'no-token': 'the site tells it only with a token, and none is at hand',
  'not-allowed': 'the site does not tell it to this token',
  'not-understood': 'the answer of the site is of no known shape',
  'no-answer': 'the site did not answer',
}

function reasonOf(field: FieldVerdict): Phrase {
  switch (field.verdict) {
    case 'equal':
      return words('the site says the same')
    case 'recorded':
      return phrase`as applied on ${field.appliedAt}; the site does not tell it`
    case 'unknowable':
      return words(unknowableWords[field.because])
    case 'different':
      if (field.found === undefined)
        return words(field.source === 'site' ? 'the site has none' : 'the last apply set none')
      return field.source === 'site'
        ? phrase`the site has ${valuePhrase(field.found, field.pointer)}`
        : phrase`the last apply set ${valuePhrase(field.found, field.pointer)}`
  }
}
