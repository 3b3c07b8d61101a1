import type { FieldVerdict, Unknowable, Verdict } from '../../plan/fields/verdict.js'
import type { Paint } from '../paint.js'
import { formatPhrase, type Phrase, phrase, words } from '../phrase.js'
import { pathOf, placeOf, valuePhrase } from './field-rows.js'

const signs: Readonly<Record<Verdict, string>> = {
  equal: '=',
  different: '~',
  recorded: '.',
  unknowable: '?',
}
const colours = { equal: 'green', different: 'yellow', recorded: 'cyan', unknowable: 'dim' } as const

/** The sign of a verdict and words after it, in its colour. */
export function markOf(verdict: Verdict, paint: Paint, words = ''): string {
  return paint(colours[verdict], `${signs[verdict]}${words}`)
}

/** What is known of each field, one a line. */
export function formatVerdicts(fields: readonly FieldVerdict[], paint: Paint): readonly string[] {
  if (fields.length === 0) return []
  const rows = verdictRows(fields)
  const width = Math.min(44, Math.max(...rows.map(({ name }) => name.length)))
  return ['What is known of each field:', ...rows.map(row => line(row, width, paint)), '']
}

function line({ name, verdict, value, reason, place }: VerdictRow, width: number, paint: Paint): string {
  const mark = markOf(verdict, paint, ` ${verdictWords[verdict].padEnd(13)}`)
  return `  ${mark} ${name.padEnd(width)}  ${formatPhrase(value)}  ${paint('dim', `${formatPhrase(reason)}  ${place}`)}`
}

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
