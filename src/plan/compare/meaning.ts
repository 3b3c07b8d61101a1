import { parseQuantity } from '../../contract/kubernetes.js'
import { findQuestionIndex, secretQuestions } from '../../contract/questions.js'
import { findFieldSchema, findMemberSchema } from '../../schema/field-schema.js'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../schema/json-schema.js'
import { appendSegment, type JsonPointer, readLastSegment, readParent } from '../../schema/pointer.js'
import { readMember } from '../../schema/select.js'

/** A field of a manifest: its pointer and its schema. */
export interface ComparedField {
  readonly pointer: JsonPointer
  readonly schema: JsonSchema
  /** True for a named member of a map that may be absent: an empty value then equals an absent one. */
  readonly optional: boolean
}

/** Finds the field at a pointer of a manifest. */
export function findComparedField(pointer: JsonPointer): ComparedField {
  const owner = readParent(pointer)
  if (pointer === '') return { pointer, schema: findFieldSchema(''), optional: false }
  return selectMember(
    { pointer: owner, schema: findFieldSchema(owner), optional: false },
    readLastSegment(pointer),
  )
}

/** Selects the field of a member or element of a field. */
export function selectMember({ pointer, schema }: ComparedField, name: string | number): ComparedField {
  const { properties, required = [] } = schema
  const optional =
    properties !== undefined && Object.hasOwn(properties, name) && !required.includes(`${name}`)
  // These parameters are sent as text, so a number equals the text of its digits.
  const own = schema['x-compare'] === 'texts' ? asText : findMemberSchema(schema, name)
  return { pointer: appendSegment(pointer, name), schema: own, optional }
}

const asText: JsonSchema = { 'x-compare': 'text' }

/**
 * Normalizes a field: an absent field gets its default, and an empty optional one becomes absent. An empty map counts as
 * empty only if its schema requires no member.
 */
export function withoutDefault(
  value: JsonValue | undefined,
  { schema, optional }: ComparedField,
): JsonValue | undefined {
  if (!optional) return value
  const written = value === undefined || isEmpty(value, schema) ? undefined : value
  return written ?? (typeof schema.default === 'object' ? undefined : schema.default)
}

function isEmpty(value: JsonValue, { required = [] }: JsonSchema): boolean {
  if (Array.isArray(value) || typeof value === 'string') return value.length === 0
  return isObject(value) && required.length === 0 && Object.keys(value).length === 0
}

/**
 * Tests whether two values at a pointer mean the same to the service, however they are written: sizes are compared by amount,
 * defaults may be left out, and unordered lists may have any order.
 */
export function isSame(one: JsonValue | undefined, other: JsonValue | undefined, at: JsonPointer): boolean {
  const field = findComparedField(at)
  return interpretValue(one, field) === interpretValue(other, field)
}

/** Converts a value to a text that is equal for values with the same meaning in the field; `undefined` for an absent value. */
export function interpretValue(value: JsonValue | undefined, field: ComparedField): string | undefined {
  const reported = withoutDefault(value, field)
  return reported === undefined ? undefined : meaningIn(reported, field)
}

function meaningIn(value: JsonValue, field: ComparedField): string {
  if (Array.isArray(value)) return `[${elementMeanings(value, field).join()}]`
  if (isObject(value)) return `{${memberMeanings(value, field).join()}}`
  return scalarMeaning(value, field)
}

function scalarMeaning(value: JsonValue, { schema }: ComparedField): string {
  const comparison = schema['x-compare']
  if (comparison === 'text') return JSON.stringify(String(value))
  if (typeof value !== 'string') return JSON.stringify(value)
  if (comparison === 'path') return JSON.stringify(plainPath(value))
  // A value that is not a quantity is compared as text; the `n` keeps a size different from every number.
  const size = comparison === 'quantity' ? parseQuantity(value) : undefined
  return size === undefined ? JSON.stringify(value) : `${size}n`
}

function elementMeanings(list: readonly JsonValue[], field: ComparedField): readonly string[] {
  const meanings = list.map((element, index) => meaningIn(element, selectMember(field, index)))
  if (!isUnordered(field)) return meanings
  return (isSet(field) ? [...new Set(meanings)] : meanings).toSorted()
}

function memberMeanings(map: JsonObject, field: ComparedField): readonly string[] {
  const members = field.schema['x-compare'] === 'question' ? withQuestionByIndex(map) : map
  return listMemberNames(members, field)
    .toSorted()
    .flatMap(name => {
      const meaning = interpretValue(readMember(members, name), selectMember(field, name))
      return meaning === undefined ? [] : [`${JSON.stringify(name)}:${meaning}`]
    })
}

/** Lists the members of a map, and the absent members with a default. */
export function listMemberNames(map: JsonObject, { schema }: ComparedField): readonly string[] {
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    part !== false && part.default !== undefined ? [name] : [],
  )
  return [...new Set([...Object.keys(map), ...defaults])]
}

/** True for a list whose order has no meaning. */
export function isUnordered(field: ComparedField): boolean {
  return isSet(field) || field.schema['x-merge-by'] !== undefined
}

/** True for a list in which a repeated element has no meaning. */
export function isSet({ schema }: ComparedField): boolean {
  return schema['x-compare'] === 'set'
}

/** Normalizes a path: `./a//b` is the file `a/b`. */
function plainPath(path: string): string {
  return path
    .split('/')
    .filter(segment => segment !== '' && segment !== '.')
    .join('/')
}

/** Tests whether a field refers to a secret. The schema decides: a label named `env` has the same shape. */
export function refersToSecret(pointer: JsonPointer, value: JsonValue | undefined): boolean {
  return isReference(value) && findFieldSchema(pointer)['x-reference'] !== undefined
}

/** True for a value with the shape of a reference to a secret. */
function isReference(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && ('env' in value || 'file' in value)
}

/** Replaces the text of a known secret question by its number, which is what is sent. Service §2.9. */
function withQuestionByIndex({ question, ...others }: JsonObject): JsonObject {
  const known = secretQuestions.find(text => text === question)
  if (known !== undefined) return { index: findQuestionIndex(known), ...others }
  return question === undefined ? others : { question, ...others }
}

/** Writes a secret question as text or number, like another one, so that only a different question is a difference. */
export function withQuestionOf(one: JsonObject, other: JsonValue): JsonObject {
  const byIndex = withQuestionByIndex(one)
  const { index, ...others } = byIndex
  const text = typeof index === 'number' ? secretQuestions[index - 1] : undefined
  const namesText = typeof other === 'object' && other !== null && 'question' in other
  return namesText && text !== undefined ? { question: text, ...others } : byIndex
}
