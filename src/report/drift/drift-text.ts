import type { Drift, DriftField } from '../../plan/drift/drift.js'
import type { FieldStatus, Unknowable } from '../../plan/fields/field-status.js'
import { display } from '../display.js'
import { formatFieldPath, formatFieldPlace, formatValue } from '../fields/field-rows.js'
import { formatMark, unknowableWords } from '../fields/status-text.js'
import type { Paint } from '../paint.js'
import {
  causeWords,
  extractDay,
  formatUnmanaged,
  groupByPart,
  sourceWords,
  summarizeDrift,
} from './drift-words.js'

interface View {
  readonly paint: Paint
  /** Show every field on a separate line. */
  readonly verbose: boolean
}

/** Formats a drift for people: differences first, then equal and unknown fields, then the coverage. */
export function formatDrift(drift: Drift, { paint, verbose }: View): string {
  const { name, url, version, fields, unmanaged } = drift
  const differing = fields.filter(({ verdict }) => verdict === 'different')
  const others = fields.filter(({ verdict }) => verdict !== 'different')
  return [
    // Never the name at the beginning of a line, where a CI runner parses commands.
    `Drift of ${paint('bold', display(name))}  ${display(url)}`,
    `The site is ready${version === null ? '' : `, version ${display(version)}`}.`,
    '',
    ...formatRows(differing, paint),
    ...(differing.length === 0 ? [] : ['']),
    ...(verbose ? formatRows(others, paint) : formatGroups(others, paint)),
    ...(unmanaged.length === 0
      ? []
      : [
          '',
          `  Not managed by this manifest: ${unmanaged
            .map(formatUnmanaged)
            .map(text => display(text))
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
export function formatValues(field: DriftField): string {
  const { pointer, value } = field
  const said = value === undefined ? undefined : formatValue(pointer, value)
  if (field.verdict !== 'different') return said ?? ''
  const where = sourceWords[field.source]
  const found = field.found === undefined ? undefined : `${formatValue(pointer, field.found)} ${where}`
  if (said === undefined) return `only ${found ?? where}`
  return found === undefined ? `${said}, nothing ${where}` : `${said}, ${found}`
}

/** Explains the status of a field. */
export function formatReason(field: DriftField): string {
  switch (field.verdict) {
    case 'equal':
      return 'equal on the site'
    case 'different':
      return causeWords[field.cause ?? 'not-recorded']
    case 'recorded':
      return `matches the apply of ${extractDay(field.appliedAt)}`
    case 'asserted':
      return `matches what a person asserted on ${extractDay(field.assertedAt)}`
    case 'unknowable':
      return unknowableWords[field.because]
    default:
      return field satisfies never
  }
}

function formatGroups(fields: readonly DriftField[], paint: Paint): readonly string[] {
  const of = (verdict: FieldStatus) => fields.filter(field => field.verdict === verdict)
  const reasons = fields.flatMap(field => (field.verdict === 'unknowable' ? [field.because] : []))
  const because = (one: Unknowable) =>
    fields.filter(field => field.verdict === 'unknowable' && field.because === one)
  return [
    ...formatGroup(of('equal'), 'equal on the site', paint),
    ...formatGroup(of('recorded'), 'as last applied, not readable on the site', paint),
    ...formatGroup(of('asserted'), 'as a person asserted, not readable on the site', paint),
    ...[...new Set(reasons)].flatMap(one =>
      formatGroup(because(one), `unknown (${unknowableWords[one]})`, paint),
    ),
  ]
}

function formatGroup(
  [first, ...others]: readonly DriftField[],
  words: string,
  paint: Paint,
): readonly string[] {
  if (first === undefined) return []
  const list = groupByPart([first, ...others]).join(', ')
  return [`  ${formatMark(first.verdict, paint)} ${others.length + 1} ${words}: ${list}`]
}
