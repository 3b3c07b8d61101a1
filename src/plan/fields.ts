import { serverLicensePart } from '../contract/field-notes.js'
import { child, type JsonPointer, segments } from '../diagnostics/pointer.js'
import type { Manifest } from '../manifest/manifest.js'
import { homes } from '../schema/homes.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { canonical } from './canonical.js'
import type { FieldChange } from './plan.js'

/** What a value was and is to be. */
interface Versions {
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** The fields that creating the organization sets, one a line of the manifest. */
export function createdFields(manifest: Manifest): readonly FieldChange[] {
  return leaves(manifest.organization as unknown as JsonValue, '/spec').map(({ pointer, value }) => ({
    ...fieldAt(manifest, pointer),
    after: value,
  }))
}

/** The fields in which a part of a manifest differs from what is known of it; all of it where nothing is known. */
export function changedFields(
  manifest: Manifest,
  at: JsonPointer,
  { before: known, after: wanted }: Versions,
): readonly FieldChange[] {
  const valuesOf = (value: JsonValue | undefined) =>
    new Map(value === undefined ? [] : leaves(value, at).map(leaf => [leaf.pointer, leaf.value]))
  const before = valuesOf(known)
  const after = valuesOf(wanted)
  const pointers = [...new Set([...after.keys(), ...before.keys()])]
  return pointers
    .filter(pointer => canonical(before.get(pointer)) !== canonical(after.get(pointer)))
    .map(pointer => {
      const [old, next] = [before.get(pointer), after.get(pointer)]
      return {
        ...fieldAt(manifest, pointer),
        ...(old !== undefined && { before: old }),
        ...(next !== undefined && { after: next }),
      }
    })
}

/** A field, the parameter that carries it, and where it stands in the manifest. */
export function fieldAt(manifest: Manifest, pointer: JsonPointer) {
  const { file, start } = manifest.place(pointer, 'key')
  return { pointer, parameter: parameterOf(pointer), file, line: start.line }
}

export interface Leaf {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/** Splits a value into what a person would call its fields: scalars, references, labels, and lists of scalars. */
export function leaves(value: JsonValue, pointer: JsonPointer): readonly Leaf[] {
  const members: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((element: JsonValue, index) => [index, element] as const)
    : isObject(value)
      ? Object.entries(value)
      : []
  const whole =
    members.length === 0 ||
    (isReference(value) && pointer !== '/spec/license') ||
    pointer.endsWith('/labels') ||
    isFlatList(value)
  return whole
    ? [{ pointer, value }]
    : members.flatMap(([key, member]) => leaves(member, child(pointer, key)))
}

/** True for a reference to a secret, which stands in the place of its value. */
export function isReference(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && ('env' in value || 'file' in value)
}

function isFlatList(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(element => typeof element !== 'object')
}

/** The parameter whose home in the manifest is nearest around a field; under `extra`, its own name. */
function parameterOf(pointer: JsonPointer): string {
  const around = homes
    .filter(home => pointer === home.pointer || pointer.startsWith(`${home.pointer}/`))
    .sort((a, b) => b.pointer.length - a.pointer.length)
  if (around[0] !== undefined) return around[0].parameter.name
  return pointer === '/spec/license/serverFile' ? serverLicensePart : (segments(pointer)[2] ?? '')
}
