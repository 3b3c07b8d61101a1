import { dotted, isBelow, type JsonPointer, parentOf, segments } from '../diagnostics/pointer.js'
import { changedLaterBy } from '../plan/fields/lifetime.js'
import { formRule, sourceOf } from '../schema/field-rule.js'
import { homeAround, sinceAt } from '../schema/homes.js'
import type { JsonSchema, JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import type { Paint } from './paint.js'
import { wrapped } from './wrap.js'

/** Explains a field of a manifest: its rule, the version that added it, and the request parameter that it becomes. */
export function explainField(pointer: JsonPointer, paint: Paint): string {
  const schema = fieldSchema(pointer)
  return [
    paint('bold', dotted(pointer)),
    '',
    ...wrapped(schema.description ?? 'A field of the manifest.'),
    '',
    ...factsOf(pointer).map(([label, text]) => `  ${label.padEnd(9)} ${text}`),
    ...optionsOf(schema),
    ...membersOf(schema),
    '',
  ].join('\n')
}

/** Lists the known facts of a field, each with a label. */
export function factsOf(pointer: JsonPointer): readonly (readonly [label: string, text: string])[] {
  const schema = fieldSchema(pointer)
  const owner = fieldSchema(parentOf(pointer))
  const name = segments(pointer).at(-1) ?? ''
  const isRequired = owner.required?.includes(name) === true
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['type', typeOf(schema)],
    ['required', isRequired ? 'yes' : undefined],
    ['must', formRule(schema)],
    ['default', schema.default === undefined ? undefined : shown(schema.default)],
    ['example', schema.examples?.map(shown).join(', ')],
    ['since', sinceAt(pointer)],
    ['sent as', parameterFor(pointer)],
    ['later', isSent(pointer) ? later[changedLaterBy(pointer)] : undefined],
    ['source', sourceOf(schema)],
  ]
  return facts.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [[label, text] as const]))
}

/** The effect of an edit once the organization exists. */
const later = {
  update: 'changed by `update`',
  'another-operation': 'changed by an operation that Landform does not perform',
  'no-operation': 'immutable after creation',
} as const

/** False for the fields that locate and connect to the site, and for their parents. */
function isSent(pointer: JsonPointer): boolean {
  return (
    isBelow(pointer, '/spec') &&
    pointer !== '/spec' &&
    !isBelow(pointer, '/spec/site') &&
    pointer !== '/spec/state'
  )
}

function typeOf({
  type,
  'x-reference': reference,
  enum: options,
  const: only,
}: JsonSchema): string | undefined {
  if (reference === 'secret') return 'reference: { env: LANDFORM_… } or { file: path }'
  if (reference === 'text-or-secret') return 'text, or { env: LANDFORM_… } or { file: path }'
  if (options !== undefined) return 'one of the values below'
  if (only !== undefined) return shown(only)
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    object: 'map',
    array: 'list',
  }
  return type === undefined
    ? undefined
    : [type]
        .flat()
        .map(one => words[one] ?? one)
        .join(' or ')
}

function parameterFor(pointer: JsonPointer): string | undefined {
  const home = homeAround(pointer)
  return home === undefined ? undefined : `\`${home.parameter.name}\` of \`${home.operation}\``
}

function optionsOf({ enum: options = [], enumDescriptions = [] }: JsonSchema): readonly string[] {
  if (options.length === 0) return []
  const texts = options.map(shown)
  const longest = Math.max(...texts.map(text => text.length))
  return [
    '',
    ...texts.map((text, index) => `  ${text.padEnd(longest)}  ${enumDescriptions[index] ?? ''}`.trimEnd()),
  ]
}

function membersOf({ properties = {}, 'x-reference': reference }: JsonSchema): readonly string[] {
  const names = Object.keys(properties)
  return names.length === 0 || reference !== undefined ? [] : ['', `  fields    ${names.join(', ')}`]
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
