import type { FieldAssessment, FieldStatus, Unknowable } from '../../plan/fields/field-status.js'
import type { Paint } from '../paint.js'
import { formatPhrase, type Phrase, phrase, words } from '../phrase.js'
import { buildValuePhrase, formatFieldPath, formatFieldPlace } from './field-rows.js'

const signs: Readonly<Record<FieldStatus, string>> = {
  equal: '=',
  different: '~',
  recorded: '.',
  asserted: '!',
  unknowable: '?',
}
const colours = {
  equal: 'green',
  different: 'yellow',
  recorded: 'cyan',
  asserted: 'cyan',
  unknowable: 'dim',
} as const

/** Formats the sign of a field status and words after it, in its colour. */
export function formatMark(verdict: FieldStatus, paint: Paint, words = ''): string {
  return paint(colours[verdict], `${signs[verdict]}${words}`)
}

/** Formats the status of each field, one a line. */
export function formatFieldStatuses(fields: readonly FieldAssessment[], paint: Paint): readonly string[] {
  if (fields.length === 0) return []
  const rows = buildStatusRows(fields)
  const width = Math.min(44, Math.max(...rows.map(({ name }) => name.length)))
  return ['Field status:', ...rows.map(row => formatStatusRow(row, width, paint)), '']
}

function formatStatusRow(
  { name, status, value, reason, place }: FieldStatusRow,
  width: number,
  paint: Paint,
): string {
  const mark = formatMark(status, paint, ` ${statusWords[status].padEnd(9)}`)
  return `  ${mark} ${name.padEnd(width)}  ${formatPhrase(value)}  ${paint('dim', `${formatPhrase(reason)}  ${place}`)}`
}

/** The status of one field as a row of a report. */
export interface FieldStatusRow {
  readonly name: string
  readonly status: FieldStatus
  readonly value: Phrase
  /** The source of the status, and the value there. */
  readonly reason: Phrase
  readonly place: string
}

/** Builds a row for each field, in the order of the manifest. */
export function buildStatusRows(fields: readonly FieldAssessment[]): readonly FieldStatusRow[] {
  return fields.map(field => ({
    name: formatFieldPath(field.pointer),
    status: field.verdict,
    value: field.value === undefined ? words('not set') : buildValuePhrase(field.value, field.pointer),
    reason: buildReason(field),
    place: formatFieldPlace(field),
  }))
}

/** The names of the statuses; colour alone never carries meaning. */
export const statusWords: Readonly<Record<FieldStatus, string>> = {
  equal: 'equal',
  different: 'different',
  recorded: 'recorded',
  asserted: 'asserted',
  unknowable: 'unknown',
}

/** The reasons for an unknown status. */
export const unknowableWords: Readonly<Record<Unknowable, string>> = {
  secret: 'a secret: never read back, and never recorded',
  'never-recorded': 'not reported by the site, and no apply is recorded',
  'never-asserted': 'not reported by the site, and not asserted when it was adopted',
  upgrading: 'not reported by the site during an upgrade',
  'no-token': 'readable only with a token, and none is available',
  'not-allowed': 'not readable with this token',
  'not-understood': 'the response of the site has an unknown shape',
  'no-answer': 'the site did not respond',
}

const otherSides: Readonly<Record<(FieldAssessment & { readonly verdict: 'different' })['source'], string>> =
  {
    site: 'the site has',
    record: 'the last apply set',
    assertion: 'a person asserted',
  }

function buildReason(field: FieldAssessment): Phrase {
  switch (field.verdict) {
    case 'equal':
      return words('the site reports the same')
    case 'recorded':
      return phrase`as applied on ${field.appliedAt}; not reported by the site`
    case 'asserted':
      return phrase`as a person asserted on ${field.assertedAt}; not reported by the site`
    case 'unknowable':
      return words(unknowableWords[field.because])
    case 'different':
      if (field.found === undefined) return words(`${otherSides[field.source]} none`)
      return phrase`${words(otherSides[field.source])} ${buildValuePhrase(field.found, field.pointer)}`
  }
}
