import { citePublicly } from '../contract/vendor-pages.js'
import type { CatalogEntry } from '../diagnostics/catalog/entry.js'
import { catalog, type DiagnosticCode } from '../diagnostics/diagnostic.js'
import { type Explanation, explanations } from '../diagnostics/generated/explanations.js'
import { findLaterChange, listOtherOperations } from '../plan/fields/lifetime.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { describeRequirement, formatSource } from '../schema/fields.js'
import type { JsonSchema, JsonValue } from '../schema/json-schema.js'
import { findParameterPath, findSince } from '../schema/parameter-paths.js'
import { formatDotted, isBelow, type JsonPointer, readParent, splitPointer } from '../schema/pointer.js'
import { severityColours } from './findings-text.js'
import { describeOtherOperation, unchangeable } from './plan-words.js'
import type { Paint } from './terminal.js'

/** Finds the page of one code: the parts of its catalog entry that do not depend on facts, with its explanation. */
export function findCatalogPage(
  code: DiagnosticCode,
): Pick<CatalogEntry<never>, 'severity' | 'phase' | 'source' | 'title'> & Explanation {
  return { ...catalog[code], ...explanations[code] }
}

/** Explains a code to people: its meaning and its fix. */
export function explainCode(code: DiagnosticCode, paint: Paint): string {
  const { severity, phase, source, title, text, example } = findCatalogPage(code)
  const colour = severityColours[severity]
  const yaml = (name: string, lines: string) => [
    `${paint('bold', name)}`,
    ...lines.split('\n').map(line => `  ${line}`),
    '',
  ]
  return [
    `${paint('bold', code)}  ${paint(colour, severity)}`,
    '',
    title,
    '',
    text,
    '',
    ...(example === undefined ? [] : [...yaml('Wrong:', example.wrong), ...yaml('Right:', example.right)]),
    `Source: ${citePublicly(source)}`,
    ...(severity !== 'error' && phase === 'manifest'
      ? [`To ignore it on the next line: # landform-ignore-next-line ${code} -- REASON`]
      : []),
    '',
  ].join('\n')
}

/** Explains a field of a manifest: its rule, the version that added it, and the request parameter that it becomes. */
export function explainField(pointer: JsonPointer, paint: Paint): string {
  const schema = findFieldSchema(pointer)
  const members = schema['x-reference'] === undefined ? Object.keys(schema.properties ?? {}) : []
  return [
    paint('bold', formatDotted(pointer)),
    '',
    schema.description ?? 'A field of the manifest.',
    '',
    ...listFieldFacts(pointer).map(([label, text]) => `  ${label.padEnd(9)} ${text}`),
    ...formatChoices(schema),
    ...(members.length === 0 ? [] : ['', `  fields    ${members.join(', ')}`]),
    '',
  ].join('\n')
}

/** Lists the known facts of a field, each with a label. */
export function listFieldFacts(pointer: JsonPointer): readonly (readonly [label: string, text: string])[] {
  const schema = findFieldSchema(pointer)
  const owner = findFieldSchema(readParent(pointer))
  const name = splitPointer(pointer).at(-1) ?? ''
  const home = findParameterPath(pointer)
  // Some fields, and their parents, only locate the site and connect to it.
  const isSent =
    isBelow(pointer, '/spec') &&
    !['/spec', '/spec/state'].includes(pointer) &&
    !isBelow(pointer, '/spec/site')
  const isRequired = owner.required?.includes(name) === true
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['type', describeType(schema)],
    ['required', isRequired ? 'yes' : undefined],
    ['must', describeRequirement(schema)],
    ['default', schema.default === undefined ? undefined : formatJsonValue(schema.default)],
    ['example', schema.examples?.map(formatJsonValue).join(', ')],
    ['since', findSince(pointer)],
    ['sent as', home && `\`${home.parameter.name}\` of \`${home.operation}\``],
    ['later', isSent ? describeLater(pointer) : undefined],
    ['source', citePublicly(formatSource(schema) ?? '')],
  ]
  return facts.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [[label, text] as const]))
}

/** Describes the effect of an edit once the organization exists. */
function describeLater(pointer: JsonPointer): string {
  switch (findLaterChange(pointer)) {
    case 'update':
      return 'changed by `update`'
    case 'no-operation':
      return unchangeable
    case 'another-operation':
      return `Landform cannot change it; ${listOtherOperations(pointer).map(describeOtherOperation).join('; or ')}`
  }
}

function describeType({
  type,
  'x-reference': reference,
  enum: options,
  const: only,
}: JsonSchema): string | undefined {
  if (reference === 'secret') return 'reference: { env: LANDFORM_… } or { file: path }'
  if (reference === 'text-or-secret') return 'text, or { env: LANDFORM_… } or { file: path }'
  if (options !== undefined) return 'one of the values below'
  if (only !== undefined) return formatJsonValue(only)
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

function formatChoices({ enum: options = [], enumDescriptions = [] }: JsonSchema): readonly string[] {
  if (options.length === 0) return []
  const texts = options.map(formatJsonValue)
  const longest = Math.max(...texts.map(text => text.length))
  return [
    '',
    ...texts.map((text, index) => `  ${text.padEnd(longest)}  ${enumDescriptions[index] ?? ''}`.trimEnd()),
  ]
}

function formatJsonValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
