import { refersToSecret } from '../plan/compare/meaning.js'
import type { DifferentField, FieldChange } from '../plan/plan.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import {
  formatIndices,
  type JsonPointer,
  readLastSegment,
  readParent,
  splitPointer,
} from '../schema/pointer.js'
import { display } from './display.js'
import type { ChangeSign } from './html.js'
import { formatPhrase, joinPhrases, type Phrase, phrase, words } from './phrase.js'

/** One or more fields as a row of a report. */
export interface FieldTableRow {
  readonly name: string
  readonly sign: ChangeSign
  readonly before?: Phrase
  readonly after?: Phrase
  /** Both values with an arrow between them, or the only one. */
  readonly change: Phrase
  /** File and line in the manifest. */
  readonly place: string
  readonly file: string
  readonly line: number
  /** The manifest does not contain the value. */
  readonly default?: true
  readonly pointer: JsonPointer
}

/** Builds one row per field; fields of one map on the same line of the manifest share a row. */
export function buildFieldRows(fields: readonly FieldChange[]): readonly FieldTableRow[] {
  const groups: FieldChange[][] = []
  for (const field of fields) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && belongTogether(group[0], field)) group.push(field)
    else groups.push([field])
  }
  return groups.map(group =>
    group[1] === undefined ? buildFieldRow(group[0] as FieldChange) : buildSharedRow(group),
  )
}

/** Builds the row of one field. */
export function buildFieldRow(field: FieldChange): FieldTableRow {
  return { ...buildCommonCells(field, field.pointer), ...buildChange(field) }
}

/** Builds the row of a difference that the plan does not change, with the value found and that of the manifest. */
export function buildLeftRow({ found, value, ...field }: DifferentField): FieldTableRow {
  const sides = {
    ...(found !== undefined && { before: found }),
    ...(value !== undefined && { after: value }),
  }
  return buildFieldRow({ ...field, ...sides })
}

/** Formats a path without the prefix that all fields of an action share. */
export function formatFieldPath(pointer: JsonPointer): string {
  const path = splitPointer(pointer).slice(1)
  return display(
    formatIndices((path[0] === 'upgrade' && path.length > 2 ? path.slice(2) : path).join('.')),
    400,
  )
}

/** Formats the place of a field in the manifest. */
export function formatFieldPlace({
  file,
  line,
  default: isDefault,
}: Pick<FieldChange, 'file' | 'line' | 'default'>): string {
  return isDefault ? 'default' : `${display(file, 400)}:${line}`
}

function belongTogether(a: FieldChange, b: FieldChange): boolean {
  return (
    readParent(a.pointer) === readParent(b.pointer) &&
    a.file === b.file &&
    a.line === b.line &&
    a.default === b.default &&
    selectSign(a) === selectSign(b)
  )
}

function buildSharedRow(group: readonly FieldChange[]): FieldTableRow {
  const [first] = group as readonly [FieldChange]
  const members = group.map(field => ({
    name: display(readLastSegment(field.pointer), 400),
    ...buildChange(field),
  }))
  const of = (part: 'before' | 'after' | 'change') =>
    joinPhrases(
      members.flatMap(({ name, [part]: value }) => (value === undefined ? [] : [buildMember(name, value)])),
      ', ',
    )
  return {
    ...buildCommonCells(first, readParent(first.pointer)),
    ...(first.before !== undefined && { before: of('before') }),
    ...(first.after !== undefined && { after: of('after') }),
    change: of('change'),
  }
}

function buildCommonCells(field: FieldChange, pointer: JsonPointer) {
  const { file, line, default: isDefault } = field
  return {
    name: formatFieldPath(pointer),
    sign: selectSign(field),
    place: formatFieldPlace(field),
    file: display(file, 400),
    line,
    ...(isDefault && { default: isDefault }),
    pointer,
  }
}

/** Joins a name and a value. If the value begins with code, the name becomes part of it. */
function buildMember(name: string, value: Phrase): Phrase {
  const [first, ...rest] = value
  return first?.kind === 'code'
    ? [{ kind: 'code', text: `${name} ${first.text}` }, ...rest]
    : phrase`${name} ${value}`
}

function buildChange({
  before,
  after,
  pointer,
}: FieldChange): Pick<FieldTableRow, 'before' | 'after' | 'change'> {
  if (before !== undefined && after !== undefined) {
    const [old, next] = buildDifferingPhrases(before, after, pointer)
    return { before: old, after: next, change: phrase`${old} -> ${next}` }
  }
  const change = buildValuePhrase(before ?? after ?? null, pointer)
  if (before !== undefined) return { before: change, change }
  return { after: change, change }
}

function selectSign({ before, after }: FieldChange): ChangeSign {
  return before === undefined ? '+' : after === undefined ? '-' : '~'
}

/** Longer values are cut. */
const maxCharacters = 400

/** Formats the value of a field; of a secret, only its source. The pointer tells them apart: a label may be named `env`. */
export function buildValuePhrase(value: JsonValue, pointer: JsonPointer): Phrase {
  if (isObject(value) && refersToSecret(pointer, value)) {
    if (typeof value['env'] === 'string') return phrase`(secret from ${cutText(value['env'])})`
    if (typeof value['file'] === 'string') return phrase`(secret from file ${cutText(value['file'])})`
  }
  if (isObject(value) && Object.values(value).every(member => typeof member === 'string'))
    return phrase`${cutText(formatPairs(value)) || '{}'}`
  return typeof value === 'string' && value !== '' ? phrase`${cutText(value)}` : buildJsonPhrase(value)
}

/** Formats the value of a field as plain text, for a terminal or a log. */
export function formatValue(pointer: JsonPointer, value: JsonValue): string {
  return formatPhrase(buildValuePhrase(value, pointer))
}

/** Formats two different values so that the difference is visible even if their texts are the same. */
export function buildDifferingPhrases(
  before: JsonValue,
  after: JsonValue,
  pointer: JsonPointer,
): readonly [Phrase, Phrase] {
  const shown = [buildValuePhrase(before, pointer), buildValuePhrase(after, pointer)] as const
  return JSON.stringify(shown[0]) === JSON.stringify(shown[1])
    ? [buildJsonPhrase(before), buildJsonPhrase(after)]
    : shown
}

function buildJsonPhrase(value: JsonValue): Phrase {
  return phrase`${cutText(JSON.stringify(value))}`
}

function formatPairs(value: object): string {
  return Object.entries(value)
    .map(([key, member]) => `${key}=${member}`)
    .sort()
    .join(' ')
}

function cutText(text: string): string {
  return display(text, maxCharacters)
}

/** A volume that is created, as a row of a table. */
export interface VolumeRow {
  readonly component: string
  readonly size: Phrase
  readonly storageClass: Phrase
  /** The labels, and further fields from the manifest. */
  readonly labels: Phrase
  readonly file: string
  readonly line: number
  readonly place: string
}

/** Separates the volumes that are created, which fit into columns, from the other fields of an action. */
export function splitVolumes(fields: readonly FieldChange[]): {
  readonly volumes: readonly VolumeRow[]
  readonly others: readonly FieldChange[]
} {
  const isVolume = ({ pointer, before }: FieldChange) =>
    before === undefined && readParent(readParent(pointer)) === '/spec/volumes'
  const created = fields.filter(isVolume)
  const components = [...new Set(created.map(({ pointer }) => readParent(pointer)))]
  return {
    volumes: components.map(one =>
      buildVolumeRow(created.filter(({ pointer }) => readParent(pointer) === one)),
    ),
    others: fields.filter(field => !isVolume(field)),
  }
}

function buildVolumeRow(fields: readonly FieldChange[]): VolumeRow {
  const [first] = fields as readonly [FieldChange]
  const values = new Map(
    fields.map(({ pointer, after = null }) => [readLastSegment(pointer), buildValuePhrase(after, pointer)]),
  )
  const take = (name: string, absent: '' | '–' = '') => {
    const value = values.get(name)
    values.delete(name)
    return value ?? words(absent)
  }
  const [size, storageClass, labels] = [take('size'), take('storageClass', '–'), take('labels')]
  return {
    component: display(splitPointer(first.pointer)[2] ?? ''),
    size,
    storageClass,
    labels: [...values].reduce((text, [name, value]) => phrase`${text} ${name} ${value}`, labels),
    file: display(first.file, 400),
    line: first.line,
    place: formatFieldPlace(first),
  }
}
