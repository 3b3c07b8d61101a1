import { dotted } from '../../diagnostics/pointer.js'
import { refersToSecret } from '../../plan/compare/meaning.js'
import type { Why } from '../../plan/drift/why.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { display } from '../display.js'
import { formatValue, pathOf } from '../fields/field-rows.js'
import type { Paint } from '../paint.js'
import { reason, values } from './drift-text.js'

/** Explains a value to people: the effective value, its origin, its request parameter, and its value on the site. */
export function formatWhy(why: Why, paint: Paint): string {
  const { pointer, value, origin, recorded } = why
  const formatOptional = (one: JsonValue | undefined) =>
    one === undefined ? '' : ` ${formatValue(pointer, one)}`
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['value', value === undefined ? nothing(why) : summary(why)],
    ...(origin.kind === 'default' ? [['default', `by ${display(origin.source)}`] as const] : []),
    ...origin.layers.map(
      layer =>
        [
          labels[layer.how],
          `${placeOf(layer)}${layer.value === undefined ? '' : ` ${formatOptional(layer.value)}`}`,
        ] as const,
    ),
    ['sent as', sentAs(why)],
    ['later', why.changedLaterBy && laterWords[why.changedLaterBy]],
    [
      'recorded',
      recorded &&
        `${(formatOptional(shortened(recorded.value)) || ' nothing').trim()}, applied ${display(recorded.appliedAt)}`,
    ],
    ...siteRows(why),
  ]
  return [
    paint('bold', display(dotted(pointer)) || 'the manifest'),
    '',
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${label.padEnd(9)} ${text}`])),
    ...memberRows(why, paint),
    '',
  ].join('\n')
}

type Written = Why['origin']['layers'][number]

const labels: Readonly<Record<Written['how'], string>> = {
  counts: 'written',
  merged: 'with',
  replaced: 'hides',
  removes: 'removed',
}

const laterWords: Readonly<Record<NonNullable<Why['changedLaterBy']>, string>> = {
  update: 'changed by `update`; Service §4.4',
  'another-operation': 'changed by an operation that Landform does not perform; Service §4.3',
  'no-operation': 'immutable after creation; Service §4.3',
}

function nothing({ carriers }: Why): string {
  return carriers.length === 0
    ? 'nothing'
    : 'nothing: it is not sent, and the default of the service is not documented'
}

function summary({ pointer, value, members }: Why): string {
  if (value === undefined) return ''
  if (members.length === 0 || Array.isArray(value)) return formatValue(pointer, shortened(value) ?? value)
  return refersToSecret(pointer, value) ? formatValue(pointer, value) : `a map of ${members.length}`
}

/** Replaces a list by its length: its members are shown instead. */
function shortened(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return `a list of ${value.length}`
  return value
}

function placeOf({ file, start }: Pick<Written, 'file' | 'start'>): string {
  return `${display(file)}:${start.line}:${start.column}`
}

function sentAs({ carriers }: Why): string | undefined {
  if (carriers.length === 0) return 'nothing: not sent to the service'
  const [first, ...others] = carriers.map(
    ({ operation, parameter }) => `\`${display(parameter)}\` of \`${operation}\``,
  )
  return others.length > 3 ? `${carriers.length} parameters` : [first, ...others].join(', ')
}

function siteRows({ pointer, site }: Why): readonly (readonly [string, string])[] {
  if (site === undefined) return []
  if (site.state !== 'ready') return [['site', `not compared: it is ${site.state}`]]
  if (site.fields.length === 0) return [['site', 'does not report it']]
  return site.fields.map(field => {
    const name = field.pointer === pointer ? '' : `${pathOf(field.pointer)}: `
    return ['site', `${name}${field.verdict === 'different' ? `${values(field)}, ` : ''}${reason(field)}`]
  })
}

function memberRows({ members, value, pointer }: Why, paint: Paint): readonly string[] {
  if (members.length === 0 || refersToSecret(pointer, value)) return []
  const width = Math.min(44, Math.max(...members.map(one => nameIn(pointer, one.pointer).length)))
  return [
    '',
    ...members.map(member => {
      const text = member.value === undefined ? '' : `  ${formatValue(member.pointer, member.value)}`
      return `  ${nameIn(pointer, member.pointer).padEnd(width)}${text}  ${paint('dim', placeOf(member))}`
    }),
  ]
}

function nameIn(owner: string, member: Why['pointer']): string {
  return display(dotted(member.slice(owner.length) as Why['pointer']))
}
