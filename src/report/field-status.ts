import { countCoverage, type FieldAssessment, type FieldStatus, type Unknowable } from '../plan/plan.js'
import { buildValuePhrase, formatFieldPath, formatFieldPlace } from './field-rows.js'
import { type Html, html, nothing, renderCode, renderPhrase, renderPlace, renderTable } from './html.js'
import { type Block, formatCodeSpan, formatMarkdownPhrase } from './markdown.js'
import { formatNumber, formatPhrase, type Phrase, phrase, words } from './phrase.js'
import type { Paint } from './terminal.js'

/** The presentation of each status, in the order of the page; colour alone never carries meaning. */
const styles = {
  different: { sign: '~', colour: 'yellow', word: 'different', rect: html`<rect class="different"` },
  equal: { sign: '=', colour: 'green', word: 'equal', rect: html`<rect class="equal"` },
  recorded: { sign: '.', colour: 'cyan', word: 'recorded', rect: html`<rect class="recorded"` },
  asserted: { sign: '!', colour: 'cyan', word: 'asserted', rect: html`<rect class="asserted"` },
  unknowable: { sign: '?', colour: 'dim', word: 'unknown', rect: html`<rect class="unknowable"` },
} as const satisfies Readonly<Record<FieldStatus, object>>

const order = Object.keys(styles) as readonly FieldStatus[]

/** Formats the sign of a field status and words after it, in its colour. */
export function formatMark(verdict: FieldStatus, paint: Paint, words = ''): string {
  const { colour, sign } = styles[verdict]
  return paint(colour, `${sign}${words}`)
}

/** Formats the status of each field, one per line. */
export function formatFieldStatuses(fields: readonly FieldAssessment[], paint: Paint): readonly string[] {
  if (fields.length === 0) return []
  const rows = buildStatusRows(fields)
  const width = Math.min(44, Math.max(...rows.map(({ name }) => name.length)))
  const lines = rows.map(({ name, status, value, reason, place }) => {
    const mark = formatMark(status, paint, ` ${styles[status].word.padEnd(9)}`)
    return `  ${mark} ${name.padEnd(width)}  ${formatPhrase(value)}  ${paint('dim', `${formatPhrase(reason)}  ${place}`)}`
  })
  return ['Field status:', ...lines, '']
}

/** The status of one field as a row of a report. */
interface FieldStatusRow {
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

/** The reasons for an unknown status. */
export const unknowableWords = {
  secret: 'secrets are neither read back nor recorded',
  'never-recorded': 'not reported by the site, and no apply is recorded',
  'never-asserted': 'not reported by the site, and not asserted when it was adopted',
  upgrading: 'not reported by the site during an upgrade',
  'no-token': 'readable only with a token, and none is available',
  'not-allowed': 'not readable with this token',
  'not-understood': 'the response of the site has an unknown shape',
  'no-answer': 'the site did not respond',
} as const satisfies Readonly<Record<Unknowable, string>>

const otherSides = {
  site: 'the site has',
  record: 'the last apply set',
  assertion: 'a person asserted',
} as const satisfies Readonly<Record<(FieldAssessment & { readonly verdict: 'different' })['source'], string>>

function buildReason(field: FieldAssessment): Phrase {
  switch (field.verdict) {
    case 'equal':
      return words('the site reports the same')
    case 'recorded':
      return phrase`applied on ${field.appliedAt}; not reported by the site`
    case 'asserted':
      return phrase`asserted by ${field.by ?? words('a person')} on ${field.assertedAt}${field.reason === undefined ? words('') : phrase` (${field.reason})`}; not reported by the site`
    case 'unknowable':
      return words(unknowableWords[field.because])
    case 'different':
      if (field.found === undefined) return words(`${otherSides[field.source]} none`)
      return phrase`${words(otherSides[field.source])} ${buildValuePhrase(field.found, field.pointer)}`
  }
}

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
  const compared = readable + recordedCount + differing('record')
  const parts = [
    ...(readable === 0 ? [] : [`${readable} readable (${equal} equal, ${differing('site')} different)`]),
    ...formatCount(recordedCount, `the last apply${formatDays(fields)}`, 'matches', 'match'),
    ...formatCount(asserted, 'the assertion', 'matches', 'match'),
    ...formatCount(differing('record'), 'from the last apply', 'differs', 'differ'),
    ...formatCount(differing('assertion'), 'from the assertion', 'differs', 'differ'),
    ...countUnknown(fields, hidden, 'cannot be verified'),
    ...countUnknown(fields, unread, 'could not be read'),
  ]
  const isWarned = compared === 0 && asserted + differing('assertion') > 0
  const warning = isWarned ? `Warning: 0 of ${total} fields could be compared with the site. ` : ''
  const unreported = total === 1 ? ' The site does not report it.' : ' The site reports none of them.'
  const reported = readable === 0 && !isWarned ? unreported : ''
  return `${warning}${formatNumber(total, 'field')}: ${parts.join(', ')}.${reported}`
}

/** Short reasons for unknown fields: `hidden` for those that no request can read, `unread` for those that one could. */
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
  if (counts[0] !== undefined && counts.length === 1 && counts[0].short.startsWith('secret'))
    return [`${formatNumber(total, 'secret')} cannot be read back`]
  const why = counts.map(({ short, count }) => (counts.length === 1 ? short : `${count} ${short}`))
  return total === 0 ? [] : [`${total} ${what} (${why.join(', ')})`]
}

function formatDays(fields: readonly FieldAssessment[]): string {
  const times = fields.flatMap(field => (field.verdict === 'recorded' ? [field.appliedAt] : []))
  const days = [...new Set(times.flatMap(time => /^\d{4}-\d\d-\d\d(?=T)/.exec(time) ?? []))]
  return days.length === 0 ? '' : ` on ${days.slice(0, 3).join(' and ')}`
}

/** Formats a count with its verb, unless it is 0. */
export function formatCount(count: number, rest: string, one: string, more: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : more} ${rest}`]
}

/** Formats the status of each field as a collapsed table; `rank` is its order among the tables of the document. */
export function formatStatusBlocks(fields: readonly FieldAssessment[], rank: number): readonly Block[] {
  const columns = ['Field', 'Status', 'Manifest', 'Why', 'Where']
  const rows = buildStatusRows(fields).map(row => formatStatusCells(row, styles[row.status].word))
  return ['<details><summary>Field status</summary>', { columns, rows, rank }, '</details>']
}

/** Formats the cells of a field, with `second` as the second one. */
export function formatStatusCells(
  { name, value, reason, place }: FieldStatusRow,
  second: string,
): readonly string[] {
  return [
    formatCodeSpan(name),
    second,
    formatMarkdownPhrase(value),
    formatMarkdownPhrase(reason),
    formatCodeSpan(place),
  ]
}

/** Renders the coverage as a bar and as text, and then the status of each field. */
export function renderFieldStatuses(fields: readonly FieldAssessment[]): Html {
  const coverage = formatCoverage(fields)
  if (coverage === undefined) return nothing
  const counts = countCoverage(fields)
  const rows = buildStatusRows(fields)
  return html`<section aria-labelledby="known">
<h2 id="known">Field status</h2>
${renderBar(counts, counts.total)}
<ul class="legend">${order.map(verdict => html`<li>${renderDot(verdict)} <b>${counts[verdict]}</b> ${styles[verdict].word}</li>`)}</ul>
<p>${coverage}</p>
${order.map(verdict =>
  renderGroup(
    verdict,
    rows.filter(row => row.status === verdict),
  ),
)}
</section>`
}

/** Renders one part per status, as wide as its share of fields; the legend below says the same in words. */
function renderBar(counts: Readonly<Record<FieldStatus, number>>, total: number): Html {
  let left = 0
  const parts = order.map(verdict => {
    const width = (counts[verdict] / total) * 100
    const part = html`${styles[verdict].rect} y="0" height="4" x="${left}" width="${width}"/>`
    left += width
    return part
  })
  return html`<svg class="coverage" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`
}

function renderDot(verdict: FieldStatus): Html {
  return html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true">${styles[verdict].rect} width="8" height="8" rx="2"/></svg>`
}

function renderGroup(verdict: FieldStatus, rows: readonly FieldStatusRow[]): Html {
  if (rows.length === 0) return nothing
  const open = verdict === 'different' ? html`<details open>` : html`<details>`
  const columns = ['Field', 'Manifest', 'Why', 'Where']
  return html`${open}<summary>${renderDot(verdict)} ${styles[verdict].word} <span class="faint">${rows.length}</span></summary>
${renderTable(
  styles[verdict].word,
  columns,
  rows.map(({ name, value, reason, place }) => [
    renderCode(name),
    renderPhrase(value),
    renderPhrase(reason),
    renderPlace(place),
  ]),
)}</details>`
}
