import type { JsonSchema } from '../../src/schema/json-schema.js'
import { formatCode } from './markdown.js'

/** One member of a document: its path, its type, whether it is always present, and its meaning. */
export type MemberRow = readonly [path: string, type: string, always: string, meaning: string]

/** Lists every documented member of a document, with its own members. */
export function listMembers(schema: JsonSchema, path = ''): readonly MemberRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (member === false) return []
    const own = `${path}${name}`
    const always = schema.required?.includes(name) === true ? 'always' : ''
    const inner = member.items ?? member
    const below = listMembers(inner, member.items === undefined ? `${own}.` : `${own}[].`)
    return [
      [formatCode(own), formatType(member), always, member.description ?? ''] as const,
      ...(below.some(([, , , meaning]) => meaning !== '') ? below : []),
    ]
  })
}

/** Formats the type of a value. */
export function formatType(schema: JsonSchema): string {
  const { type, enum: options, const: only, format, pattern = '', items, oneOf } = schema
  if (options !== undefined) return options.map(option => formatCode(String(option))).join(', ')
  if (only !== undefined) return formatCode(JSON.stringify(only))
  if (oneOf !== undefined && type === undefined) return oneOf.map(formatType).join(' or ')
  if (format === 'date-time') return 'time, ISO 8601'
  if (pattern.startsWith('^sha256:')) return type === 'string' ? 'digest' : 'digest or null'
  if (items !== undefined) return `list of ${formatType(items)}`
  if (type === undefined) return 'any value'
  return [type].flat().join(' or ')
}
