import {
  type Cause,
  countReportedCoverage,
  type Drift,
  type DriftField,
  type ReportedCoverage,
} from '../plan/drift/drift.js'
import type { FieldStatus } from '../plan/plan.js'
import { type JsonPointer, splitPointer } from '../schema/pointer.js'
import { display } from './display.js'
import { formatFieldPath, formatFieldPlace, formatValue } from './field-rows.js'
import {
  buildStatusRows,
  formatCount,
  formatMark,
  formatStatusBlocks,
  formatStatusCells,
  unknowableWords,
} from './field-status.js'
import { type Block, fitBlocks, formatCodeSpan, formatMarker } from './markdown.js'
import { formatNumber } from './phrase.js'
import { describeUnrecorded, settingWords } from './plan-words.js'
import type { Paint } from './terminal.js'

/** The cause of a difference. */
const causeWords: Readonly<Record<Cause, string>> = {
  edited: 'edited since the last apply',
  'edited-since-assertion': 'edited since the assertion',
  'changed-on-site': 'changed on the site',
  both: 'edited since the last apply, and changed on the site',
  'not-recorded': 'no apply is recorded, so it is unknown which side changed',
}

/** The source of the other value of a difference. */
const sourceWords: Readonly<Record<(DriftField & { readonly verdict: 'different' })['source'], string>> = {
  site: 'on the site',
  record: 'at the last apply',
  assertion: 'as asserted',
}

/** Formats the last line of a drift: the differences, the fields that were not compared, and those that cannot be verified. */
function summarizeDrift(drift: Drift): string {
  const coverage = countReportedCoverage(drift)
  const { different, told, recorded, asserted, unknowable, percent } = coverage
  // The organization and the policy have separate applies, perhaps on different days.
  const applied = listDays(drift.fields.flatMap(one => (one.verdict === 'recorded' ? [one.appliedAt] : [])))
  const asserts = listDays(drift.fields.flatMap(one => (one.verdict === 'asserted' ? [one.assertedAt] : [])))
  const apply = `the last ${applied.length === 1 ? 'apply' : 'applies'} on ${applied.join(' and ')}`
  const rest = [
    ...formatCount(recorded, apply, 'matches', 'match'),
    ...formatCount(asserted, `the assertion of ${asserts.join(' and ')}`, 'matches', 'match'),
    ...formatCount(unknowable, 'be verified', 'cannot', 'cannot'),
  ]
  // Without a difference and without a readable field, the headline is about the coverage.
  const covered = told + different === 0 ? '' : ` ${percent} % of the fields are readable on the site.`
  return `${[formatDriftHeadline(coverage), ...rest].join('; ')}.${covered}`
}

/** Formats the count of differences, in a few words. */
export function formatDriftHeadline({ different, told, total }: ReportedCoverage): string {
  if (different > 0) return `${different} of ${total} fields ${different === 1 ? 'differs' : 'differ'}`
  if (told === 0) return `Warning: 0 of ${total} fields could be compared with the site`
  return `No drift in the ${formatNumber(told, 'readable field')}`
}

function listDays(times: readonly string[]): readonly string[] {
  return [...new Set(times.map(extractDay))].sort()
}

/** Extracts the day of a time; a record that was edited by hand may have none. */
function extractDay(time: string): string {
  return /^\d{4}-\d\d-\d\d(?=T)/.exec(time)?.[0] ?? 'an unknown day'
}

/** Groups fields by their part of `spec`, for a list on one line: a single field by its path, several by their count. */
export function groupByPart(fields: readonly Pick<DriftField, 'pointer'>[]): readonly string[] {
  const parts = new Map<string, JsonPointer[]>()
  for (const { pointer } of fields) {
    const [, part = ''] = splitPointer(pointer)
    parts.set(part, [...(parts.get(part) ?? []), pointer])
  }
  return [...parts].map(([part, [only, ...others]]) =>
    only !== undefined && others.length === 0
      ? formatFieldPath(only)
      : `${display(part)} (${others.length + 1})`,
  )
}

/**
 * Formats a drift for people: differences first, then equal and unknown fields, each on a line of its own if verbose,
 * then the coverage.
 */
export function formatDrift(
  drift: Drift,
  { paint, verbose }: { readonly paint: Paint; readonly verbose: boolean },
): string {
  const { name, url, version, fields, unmanaged } = drift
  const differing = fields.filter(({ verdict }) => verdict === 'different')
  const others = fields.filter(({ verdict }) => verdict !== 'different')
  const coverage = countReportedCoverage(drift)
  return [
    // The name does not begin the line, because CI runners parse commands there.
    `Drift of ${paint('bold', display(name))}  ${display(url)}`,
    `The site is ready${version === null ? '' : `, version ${display(version)}`}.`,
    '',
    ...(coverage.unrecorded > 0 ? [`Warning: ${describeUnrecorded(coverage)}.`, ''] : []),
    ...formatRows(differing, paint),
    ...(differing.length === 0 ? [] : ['']),
    ...(verbose ? formatRows(others, paint) : formatGroups(others, paint)),
    ...(unmanaged.length === 0
      ? []
      : [
          '',
          `  Not managed by this manifest: ${unmanaged
            .map(({ setting, name }) => display(`${name} (${settingWords[setting]})`))
            .join(', ')}`,
        ]),
    '',
    summarizeDrift(drift),
    '',
  ].join('\n')
}

function formatRows(fields: readonly DriftField[], paint: Paint): readonly string[] {
  const width = Math.min(44, Math.max(0, ...fields.map(({ pointer }) => formatFieldPath(pointer).length)))
  return fields.map(field => {
    const place = paint('dim', formatFieldPlace(field))
    return `  ${formatMark(field.verdict, paint)} ${formatFieldPath(field.pointer).padEnd(width)}  ${formatValues(field)}  ${formatReason(field)}  ${place}`
  })
}

/** Formats the value in the manifest, and the one on the site or in the record. */
function formatValues(field: DriftField): string {
  const { pointer, value } = field
  const written = value === undefined ? undefined : formatValue(pointer, value)
  if (field.verdict !== 'different') return written ?? ''
  const where = sourceWords[field.source]
  const found = field.found === undefined ? undefined : `${formatValue(pointer, field.found)} ${where}`
  if (written === undefined) return `only ${found ?? where}`
  return found === undefined ? `${written}, none ${where}` : `${written}, ${found}`
}

/** Explains the status of a field. */
function formatReason(field: DriftField): string {
  switch (field.verdict) {
    case 'equal':
      return 'equal on the site'
    case 'different':
      return causeWords[field.cause ?? 'not-recorded']
    case 'recorded':
      return `matches the apply of ${extractDay(field.appliedAt)}`
    case 'asserted':
      return `matches the value that ${display(field.by ?? 'a person')} asserted on ${extractDay(field.assertedAt)}${field.reason === undefined ? '' : ` (${display(field.reason)})`}`
    case 'unknowable':
      return unknowableWords[field.because]
    default:
      return field satisfies never
  }
}

function formatGroups(fields: readonly DriftField[], paint: Paint): readonly string[] {
  const unknown = fields.flatMap(field => (field.verdict === 'unknowable' ? [field] : []))
  const reasons = [...new Set(unknown.map(({ because }) => because))]
  const select = (verdict: FieldStatus) => fields.filter(field => field.verdict === verdict)
  const groups = [
    { words: 'equal on the site', members: select('equal') },
    { words: 'as last applied, not readable on the site', members: select('recorded') },
    { words: 'as asserted, not readable on the site', members: select('asserted') },
    ...reasons.map(reason => ({
      words: `unknown (${unknowableWords[reason]})`,
      members: unknown.filter(({ because }) => because === reason),
    })),
  ]
  return groups.flatMap(({ words, members: [first, ...others] }) => {
    if (first === undefined) return []
    const list = groupByPart([first, ...others]).join(', ')
    return [`  ${formatMark(first.verdict, paint)} ${others.length + 1} ${words}: ${list}`]
  })
}

/** Formats a drift for an issue or a pull request: differences first, then the status of every field. */
export function formatDriftMarkdown(drift: Drift): string {
  return fitBlocks([formatMarker('drift', drift.name), ...formatDriftBlocks(drift)])
}

/** Formats a drift as one section of a text about several sites. */
export function formatDriftSection(drift: Drift): string {
  return fitBlocks(formatDriftBlocks(drift)).trimEnd()
}

function formatDriftBlocks(drift: Drift): readonly Block[] {
  const { name, url, version, fields, unmanaged } = drift
  const differing = fields.filter(({ verdict }) => verdict === 'different')
  const rows = buildStatusRows(differing).map((row, at) =>
    formatStatusCells(row, causeWords[differing[at]?.cause ?? 'not-recorded']),
  )
  const columns = ['Different field', 'Cause', 'Manifest', 'Compared with', 'Where']
  const coverage = countReportedCoverage(drift)
  return [
    `### Drift of ${formatCodeSpan(name)}`,
    ...(coverage.unrecorded > 0 ? [`> [!WARNING]\n> ${describeUnrecorded(coverage)}.`] : []),
    `**${summarizeDrift(drift)}** The site ${formatCodeSpan(url)} is ready${version === null ? '' : `, version ${formatCodeSpan(version)}`}.`,
    ...(differing.length === 0 ? [] : [{ columns, rows, rank: 0 }]),
    ...(unmanaged.length === 0
      ? []
      : [
          {
            columns: ['On the site, not managed by this manifest'],
            rows: unmanaged.map(one => [formatCodeSpan(one.name)]),
            rank: 1,
          },
        ]),
    ...formatStatusBlocks(fields, 2),
    `Compared at ${formatCodeSpan(drift.checkedAt)}.`,
  ]
}
