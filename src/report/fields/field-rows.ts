import { type JsonPointer, nameOf, parentOf, segments } from '../../diagnostics/pointer.js'
import { refersToSecret } from '../../plan/compare/meaning.js'
import type { FieldChange } from '../../plan/plan.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { display } from '../display.js'
import { formatPhrase, joined, type Phrase, phrase } from '../phrase.js'

/** One or more fields as a row of a report. */
export interface FieldRow {
  readonly name: string
  readonly sign: '+' | '-' | '~'
  readonly before?: Phrase
  readonly after?: Phrase
  /** Before and after in one phrase: the only one, or both with an arrow. */
  readonly change: Phrase
  /** File and line in the manifest. */
  readonly place: string
  readonly pointer: JsonPointer
}

/** Builds one row a field; fields of one map on the same line of the manifest share a row. */
export function rowsOf(fields: readonly FieldChange[]): readonly FieldRow[] {
  const groups: FieldChange[][] = []
  for (const field of fields) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && belongTogether(group[0], field)) group.push(field)
    else groups.push([field])
  }
  return groups.map(group => (group[1] === undefined ? rowOf(group[0] as FieldChange) : sharedRow(group)))
}

/** Builds the row of one field. */
export function rowOf(field: FieldChange): FieldRow {
  return { ...common(field, field.pointer), ...changeOf(field) }
}

/** Formats a path without the prefix that all fields of an action share. */
export function pathOf(pointer: JsonPointer): string {
  const path = segments(pointer).slice(1)
  return display((path[0] === 'upgrade' && path.length > 2 ? path.slice(2) : path).join('.'), 400)
}

/** Formats the place of a field in the manifest. */
export function placeOf({ file, line }: Pick<FieldChange, 'file' | 'line'>): string {
  return `${display(file, 400)}:${line}`
}

function belongTogether(a: FieldChange, b: FieldChange): boolean {
  return (
    parentOf(a.pointer) === parentOf(b.pointer) &&
    a.file === b.file &&
    a.line === b.line &&
    signOf(a) === signOf(b)
  )
}

function sharedRow(group: readonly FieldChange[]): FieldRow {
  const [first] = group as readonly [FieldChange]
  const members = group.map(field => ({ name: display(nameOf(field.pointer), 400), ...changeOf(field) }))
  const of = (part: 'before' | 'after' | 'change') =>
    joined(
      members.flatMap(({ name, [part]: value }) => (value === undefined ? [] : [member(name, value)])),
      ', ',
    )
  return {
    ...common(first, parentOf(first.pointer)),
    ...(first.before !== undefined && { before: of('before') }),
    ...(first.after !== undefined && { after: of('after') }),
    change: of('change'),
  }
}

function common(field: FieldChange, pointer: JsonPointer) {
  return { name: pathOf(pointer), sign: signOf(field), place: placeOf(field), pointer }
}

/** Joins name and value in one piece if the value is one. */
function member(name: string, value: Phrase): Phrase {
  const [first, ...rest] = value
  return first?.kind === 'code'
    ? [{ kind: 'code', text: `${name} ${first.text}` }, ...rest]
    : phrase`${name} ${value}`
}

function changeOf({ before, after, pointer }: FieldChange): Pick<FieldRow, 'before' | 'after' | 'change'> {
  if (before !== undefined && after !== undefined) {
    const [old, next] = differingPhrases(before, after, pointer)
    return { before: old, after: next, change: phrase`${old} -> ${next}` }
  }
  const change = valuePhrase(before ?? after ?? null, pointer)
  if (before !== undefined) return { before: change, change }
  return { after: change, change }
}

function signOf({ before, after }: FieldChange): FieldRow['sign'] {
  return before === undefined ? '+' : after === undefined ? '-' : '~'
}

/** Longer values are cut. */
const maxCharacters = 400

/**
 * Formats the value of a field. Of a secret only its source is known. The pointer decides whether a value is a secret,
 * because a label may be named `env`.
 */
export function valuePhrase(value: JsonValue, pointer: JsonPointer): Phrase {
  if (isObject(value) && refersToSecret(pointer, value)) {
    if (typeof value['env'] === 'string') return phrase`(secret from ${short(value['env'])})`
    if (typeof value['file'] === 'string') return phrase`(secret from file ${short(value['file'])})`
  }
  if (isObject(value) && Object.values(value).every(member => typeof member === 'string'))
    return phrase`${short(pairsOf(value)) || '{}'}`
  return typeof value === 'string' && value !== '' ? phrase`${short(value)}` : jsonPhrase(value)
}

/** Does the same for a terminal or a log. */
export function formatValue(pointer: JsonPointer, value: JsonValue): string {
  return formatPhrase(valuePhrase(value, pointer))
}

/** Formats two different values so that the difference is visible even if their texts are the same. */
export function differingPhrases(
  before: JsonValue,
  after: JsonValue,
  pointer: JsonPointer,
): readonly [Phrase, Phrase] {
  const shown = [valuePhrase(before, pointer), valuePhrase(after, pointer)] as const
  return JSON.stringify(shown[0]) === JSON.stringify(shown[1])
    ? [jsonPhrase(before), jsonPhrase(after)]
    : shown
}

function jsonPhrase(value: JsonValue): Phrase {
  return phrase`${short(JSON.stringify(value))}`
}

function pairsOf(value: object): string {
  return Object.entries(value)
    .map(([key, member]) => `${key}=${member}`)
    .sort()
    .join(' ')
}

function short(text: string): string {
  return display(text, maxCharacters)
}
