import type { Place } from '../diagnostics/place.js'
import { formatDotted } from '../diagnostics/pointer.js'
import { refersToSecret } from '../plan/compare/meaning.js'
import type { FieldExplanation } from '../plan/drift/why.js'
import type { JsonValue } from '../schema/json-schema.js'
import { display } from './display.js'
import { formatReason, formatValues } from './drift.js'
import { describeLater } from './explain.js'
import { formatFieldPath, formatValue } from './field-rows.js'
import type { Paint } from './terminal.js'

/** Explains a value to people: the effective value, its origin, its request parameter, and its value on the site. */
export function formatWhy(why: FieldExplanation, paint: Paint): string {
  const { pointer, value, origin, recorded } = why
  const formatOptional = (one: JsonValue | undefined) =>
    one === undefined ? '' : ` ${formatValue(pointer, one)}`
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['value', value === undefined ? explainAbsence(why) : summarizeValue(why)],
    ...(origin.kind === 'default' ? [['default', `by ${display(origin.source)}`] as const] : []),
    ...origin.layers.map(
      layer =>
        [
          labels[layer.how],
          `${formatPlace(layer)}${layer.value === undefined ? '' : ` ${formatOptional(layer.value)}`}`,
        ] as const,
    ),
    ['sent as', formatParameters(why)],
    ['later', why.changedLaterBy && describeLater(pointer)],
    [
      'recorded',
      recorded &&
        `${(formatOptional(shortenList(recorded.value)) || ' nothing').trim()}${recorded.asserted ? ', asserted by a person' : ', applied'} ${display(recorded.appliedAt)}`,
    ],
    ...buildSiteRows(why),
  ]
  return [
    paint('bold', display(formatDotted(pointer)) || 'the manifest'),
    '',
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label.padEnd(9)} ${text}`])),
    ...formatMembers(why, paint),
    '',
  ].join('\n')
}

type OriginLayer = FieldExplanation['origin']['layers'][number]

const labels: Readonly<Record<OriginLayer['how'], string>> = {
  counts: 'written',
  merged: 'with',
  replaced: 'hides',
  removes: 'removed',
}

function explainAbsence({ carriers }: FieldExplanation): string {
  return carriers.length === 0
    ? 'nothing'
    : 'nothing: it is not sent, and the default of the service is not documented'
}

function summarizeValue({ pointer, value, members }: FieldExplanation): string {
  if (value === undefined) return ''
  if (members.length === 0 || Array.isArray(value)) return formatValue(pointer, shortenList(value) ?? value)
  return refersToSecret(pointer, value) ? formatValue(pointer, value) : `a map of ${members.length}`
}

/** Replaces a list by its length: its members are shown instead. */
function shortenList(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return `a list of ${value.length}`
  return value
}

function formatPlace({ file, start }: Pick<OriginLayer, 'file' | 'start'>): string {
  return `${display(file)}:${start.line}:${start.column}`
}

function formatParameters({ carriers }: FieldExplanation): string | undefined {
  if (carriers.length === 0) return 'nothing: not sent to the service'
  const [first, ...others] = carriers.map(
    ({ operation, parameter }) => `\`${display(parameter)}\` of \`${operation}\``,
  )
  return others.length > 3 ? `${carriers.length} parameters` : [first, ...others].join(', ')
}

function buildSiteRows({ pointer, site }: FieldExplanation): readonly (readonly [string, string])[] {
  if (site === undefined) return []
  if (site.state !== 'ready') return [['site', `not compared: it is ${site.state}`]]
  if (site.fields.length === 0) return [['site', 'does not report it']]
  return site.fields.map(field => {
    const name = field.pointer === pointer ? '' : `${formatFieldPath(field.pointer)}: `
    return [
      'site',
      `${name}${field.verdict === 'different' ? `${formatValues(field)}, ` : ''}${formatReason(field)}`,
    ]
  })
}

function formatMembers({ members, value, pointer }: FieldExplanation, paint: Paint): readonly string[] {
  if (members.length === 0 || refersToSecret(pointer, value)) return []
  const width = Math.min(44, Math.max(...members.map(one => formatRelativeName(pointer, one.pointer).length)))
  return [
    '',
    ...members.map(member => {
      const text = member.value === undefined ? '' : `  ${formatValue(member.pointer, member.value)}`
      return `  ${formatRelativeName(pointer, member.pointer).padEnd(width)}${text}  ${paint('dim', formatPlace(member))}`
    }),
  ]
}

function formatRelativeName(owner: string, member: FieldExplanation['pointer']): string {
  return display(formatDotted(member.slice(owner.length) as FieldExplanation['pointer']))
}

/** The machine form of the origin and use of a value; its schema is `schemas/why.schema.json`. */
export function whyDocument({ origin, members, ...why }: FieldExplanation) {
  return {
    formatVersion: 1,
    ...why,
    origin: { ...origin, layers: origin.layers.map(toStart) },
    members: members.map(toStart),
  } as const
}

function toStart<T extends Place>({ start, end: _, ...rest }: T) {
  return { ...rest, ...start }
}
