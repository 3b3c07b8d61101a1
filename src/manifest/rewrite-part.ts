import type { Fix } from '../diagnostics/catalog/entry.js'
import { type JsonPointer, readParent } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { readValue } from '../schema/member.js'
import type { Range } from './span.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'
import { formatYamlFlow, formatYamlMembers, formatYamlText } from './yaml-text.js'

type Rewrite = Extract<Fix, { readonly kind: 'rewrite' }>

/** A part of a document that is rewritten, and its range. */
export interface RewrittenPart {
  readonly pointer: JsonPointer
  readonly range: Range
  readonly rewrite: Rewrite
}

const widest = 120

/** Reads the value that a rewrite writes: for members, a map of them. */
export function readRewritten({ part, yaml }: Rewrite): JsonValue {
  const bytes = new TextEncoder().encode(part === 'member' ? `{ ${yaml} }` : yaml)
  return parseYaml({ name: '', bytes }).document?.value ?? null
}

/**
 * Formats the new text of a part, in the layout around it: in blocks or in one line. Comments inside the part come above
 * it; `undefined` where there is no line for them.
 */
export function formatRewritten(document: YamlDocument, found: RewrittenPart): string | undefined {
  const { pointer, range, rewrite } = found
  const value = readRewritten(rewrite)
  const comments = listComments(document, found)
  const isMember = rewrite.part === 'member'
  const flow = isMember && isObject(value) ? formatYamlMembers(value) : formatYamlFlow(value)
  if (isInFlow(document, pointer)) return comments.length === 0 ? flow : undefined
  const { text, spans } = document
  const before = text.slice(text.lastIndexOf('\n', range[0] - 1) + 1, range[0])
  const fits = comments.length === 0 && before.length + flow.length <= widest
  const isItem = before.includes('- ')
  if (/^ *(?:- +)*$/.test(before)) {
    if (isItem && !isMember && fits) return flow
    // A list may be as little indented as its key, a map may not.
    const keyAt = isMember ? -1 : findColumn(document, spans.get(pointer)?.key)
    const indent = Math.max(before.length, keyAt + 2)
    const lines = [...comments, formatBlock(value, indent)]
    return ' '.repeat(indent - before.length) + joinLines(document, lines, indent)
  }
  if (fits) return flow
  const indent = findColumn(document, spans.get(pointer)?.key) + 2
  return joinLines(document, ['', ...comments, formatBlock(value, indent)], indent)
}

function joinLines({ text }: YamlDocument, lines: readonly string[], indent: number): string {
  const joined = lines.join(`\n${' '.repeat(indent)}`)
  return text.includes('\r\n') ? joined.replaceAll('\n', '\r\n') : joined
}

/** Formats a value in blocks, each member or element in one line if it fits. */
function formatBlock(value: JsonValue, indent: number): string {
  const end = `\n${' '.repeat(indent)}`
  if (isLong(value)) return value.map(one => `- ${formatInside(one, indent + 2, '')}`).join(end)
  if (!isObject(value) || Object.keys(value).length === 0) return formatYamlFlow(value)
  return Object.entries(value)
    .map(([key, one]) => formatInside(one, indent + 2, `${formatYamlText(key)}:`))
    .join(end)
}

/** Formats a value behind its key, or an element without one. */
function formatInside(value: JsonValue, indent: number, key: string): string {
  const flow = `${key}${key && ' '}${formatYamlFlow(value)}`
  const isDeep = [value].flat().some(one => isObject(one) && Object.values(one).some(hasMaps))
  if (typeof value !== 'object' || value === null) return flow
  if (!isDeep && indent - 2 + flow.length <= widest) return flow
  return `${key}${key && `\n${' '.repeat(indent)}`}${formatBlock(value, indent)}`
}

function hasMaps(value: JsonValue): boolean {
  return isLong(value) && value.some(isObject)
}

function isLong(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value) && value.length > 0
}

function findColumn({ text }: YamlDocument, key: Range | undefined): number {
  const at = key?.[0] ?? 0
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

/** True inside braces or brackets. */
function isInFlow(document: YamlDocument, pointer: JsonPointer): boolean {
  if (pointer === '') return false
  const around = readParent(pointer)
  const [at = 0] = document.spans.get(around)?.value ?? []
  return /[[{]/.test(document.text[at] ?? '') || isInFlow(document, around)
}

/** Lists the comments in the range of a part; a number sign in a scalar begins none. */
function listComments({ text, spans, value }: YamlDocument, { pointer, range }: RewrittenPart): string[] {
  const [from, to] = range
  const scalars = [...spans]
    .filter(([at]) => at === pointer || at.startsWith(`${pointer}/`))
    .flatMap(([at, span]) => [
      ...(span.key === undefined ? [] : [span.key]),
      ...(typeof readValue(value, at) === 'object' ? [] : [span.value]),
    ])
  return [...text.slice(from, to).matchAll(/(?<=\s)#[^\r\n]*/g)].flatMap(({ 0: comment, index }) => {
    const at = from + index
    return scalars.some(([start, end]) => start <= at && at < end) ? [] : [comment.trimEnd()]
  })
}
