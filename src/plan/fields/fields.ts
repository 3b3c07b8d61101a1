import type { JsonPointer } from '../../diagnostics/pointer.js'
import { placeOf } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { differences } from '../compare/differences.js'
import { leaves } from '../compare/leaves.js'
import type { FieldChange } from '../plan.js'
import { carriersOf } from './carriers.js'

/** What a value was and is to be. */
interface Versions {
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** The fields that creating the organization sets, one a line of the manifest. */
export function createdFields(manifest: Manifest): readonly FieldChange[] {
  return leaves(manifest.organization, '/spec').map(({ pointer, value }) => ({
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
  return differences(known, wanted, at).map(({ pointer, near, ...values }) => ({
    ...fieldAt(manifest, pointer, near),
    ...values,
  }))
}

/** A field, the parameter that carries it, and where it, or the nearest place around it, stands in the manifest. */
export function fieldAt(manifest: Manifest, pointer: JsonPointer, near = pointer) {
  const { file, start } = placeOf(manifest.places, near, 'key')
  return { pointer, parameter: carriersOf(pointer)[0]?.parameter ?? '', file, line: start.line }
}

/** True for a reference to a secret, which stands in the place of its value. */
export function isReference(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && ('env' in value || 'file' in value)
}
