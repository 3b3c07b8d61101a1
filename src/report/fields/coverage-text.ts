import {
  countCoverage,
  type FieldAssessment,
  isUncompared,
  type Unknowable,
} from '../../plan/fields/field-status.js'
import { formatNumber } from '../sentence.js'

/**
 * Formats the coverage in one sentence: the fields that the site reports, those that are only recorded, and those that
 * cannot be verified, which are counted even when nothing differs. Undefined without fields.
 */
export function formatCoverage(fields: readonly FieldAssessment[]): string | undefined {
  if (fields.length === 0) return undefined
  const { equal, asserted, recorded: recordedCount, total } = countCoverage(fields)
  const differing = (source: (FieldAssessment & { readonly verdict: 'different' })['source']) =>
    fields.filter(field => field.verdict === 'different' && field.source === source).length
  const readable = equal + differing('site')
  const recorded =
    isUncompared(fields) && countRecorded(fields).length === 0 ? ['0 recorded'] : countRecorded(fields)
  const parts = [
    `${readable} readable${readable === 0 ? '' : ` (${equal} equal, ${differing('site')} different)`}`,
    ...recorded,
    ...formatCount(asserted, 'what a person asserted', 'matches', 'match'),
    ...formatCount(differing('record'), 'from the last apply', 'differs', 'differ'),
    ...formatCount(differing('assertion'), 'from what a person asserted', 'differs', 'differ'),
    ...countUnknown(fields, hidden, 'cannot be verified'),
    ...countUnknown(fields, unread, 'could not be read'),
  ]
  const doubt = isUncompared(fields) ? ` ${uncomparedWords}` : ''
  const isDoubtful = isUncompared(fields) || asserted + differing('assertion') > 0
  const isWarned = isDoubtful && readable + recordedCount + differing('record') === 0
  const warning = isWarned ? `Warning: 0 of ${total} fields could be compared with the site. ` : ''
  return `${warning}${formatNumber(total, 'field')}: ${parts.join(', ')}.${doubt}`
}

/** Says that a site without differences is not one that was compared. */
export const uncomparedWords =
  'No apply that created this organization is recorded here: nothing of it could be compared.'

/** Short reasons for unknown fields: those that no request can read, and those that one could. */
const hidden = {
  secret: 'secret',
  'never-recorded': 'never recorded',
  'never-asserted': 'never asserted',
} as const
const unread: Readonly<Record<Exclude<Unknowable, keyof typeof hidden>, string>> = {
  upgrading: 'upgrade in progress',
  'no-token': 'no token',
  'not-allowed': 'not allowed',
  'not-understood': 'unknown shape',
  'no-answer': 'no response',
}

function countUnknown(
  fields: readonly FieldAssessment[],
  reasons: Readonly<Record<string, string>>,
  what: string,
): readonly string[] {
  const counts = Object.entries(reasons)
    .map(([reason, short]) => {
      const count = fields.filter(one => one.verdict === 'unknowable' && one.because === reason).length
      return { short: reason === 'secret' && count > 1 ? 'secrets' : short, count }
    })
    .filter(({ count }) => count > 0)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const why = counts.map(({ short, count }) => (counts.length === 1 ? short : `${count} ${short}`))
  return total === 0 ? [] : [`${total} ${what} (${why.join(', ')})`]
}

function countRecorded(fields: readonly FieldAssessment[]): readonly string[] {
  const times = fields.flatMap(field => (field.verdict === 'recorded' ? [field.appliedAt] : []))
  const days = [...new Set(times.flatMap(time => /^\d{4}-\d\d-\d\d(?=T)/.exec(time) ?? []))]
  const on = days.length === 0 ? '' : ` on ${days.slice(0, 3).join(' and ')}`
  return formatCount(times.length, `the last apply${on}`, 'matches', 'match')
}

function formatCount(count: number, rest: string, one: string, more: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : more} ${rest}`]
}
