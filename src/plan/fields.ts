import { serverLicensePart } from '../contract/field-notes.js'
import { type JsonPointer, segments } from '../diagnostics/pointer.js'
import type { Manifest } from '../manifest/manifest.js'
import { homes } from '../schema/homes.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { differences } from './compare/differences.js'
import { leaves } from './compare/leaves.js'
import type { FieldChange } from './plan.js'

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
  const { file, start } = manifest.place(near, 'key')
  return { pointer, parameter: parameterOf(pointer), file, line: start.line }
}

/** True for a reference to a secret, which stands in the place of its value. */
export function isReference(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && ('env' in value || 'file' in value)
}

/** The parameter whose home in the manifest is nearest around a field; under `extra`, its own name. */
function parameterOf(pointer: JsonPointer): string {
  const around = homes
    .filter(home => pointer === home.pointer || pointer.startsWith(`${home.pointer}/`))
    .sort((a, b) => b.pointer.length - a.pointer.length)
  if (around[0] !== undefined) return around[0].parameter.name
  return pointer === '/spec/license/serverFile' ? serverLicensePart : (segments(pointer)[2] ?? '')
}
