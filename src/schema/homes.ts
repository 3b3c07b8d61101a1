import { reportedCloudFields } from '../contract/cloud.js'
import { type Field, fields } from '../contract/fields.js'
import { reportedProfiles } from '../contract/profiles.js'
import { type ServiceVersion, since } from '../contract/versions.js'
import { isBelow, type JsonPointer, nameOf } from '../diagnostics/pointer.js'

/** One line of the table *manifest path → request parameter → since version*. */
export type Home = Pick<Field, 'pointer' | 'operation' | 'parameter'>

/** Every documented parameter of `configure` and `update` with its path in the manifest; `f` has none. */
export const homes: readonly Home[] = fields.filter(({ source }) => source !== 'reported')

const deepestFirst = fields.toSorted((a, b) => b.pointer.length - a.pointer.length)

/** Finds the field at or around a place of a manifest; `undefined` for a place that no parameter carries. */
export function fieldAround(pointer: JsonPointer): Field | undefined {
  return deepestFirst.find(field => isBelow(pointer, field.pointer))
}

/** Finds the documented field at or around a place of a manifest. */
export function homeAround(pointer: JsonPointer): Home | undefined {
  const around = fieldAround(pointer)
  return around?.source === 'reported' ? undefined : around
}

/** The fields that were introduced after the first version with `configure`. Service §9. */
export const youngerFields: readonly { readonly name: string; readonly since: ServiceVersion }[] = [
  ...homes
    .filter(
      ({ pointer, parameter }) =>
        parameter.since !== since('configure') && parameter.name !== 'token' && depth(pointer) === 2,
    )
    .map(({ pointer, parameter }) => ({ name: pointer.slice('/spec/'.length), since: parameter.since })),
  { name: 'deploymentProfiles', since: reportedProfiles.since },
]

/** Finds the version that introduced a place of a manifest; `undefined` for fields of Landform itself. Service §9. */
export function sinceAt(pointer: JsonPointer): ServiceVersion | undefined {
  const later = isBelow(pointer, '/spec/cloudStorage') ? reportedCloudFields.get(nameOf(pointer)) : undefined
  const around = youngerFields.find(({ name }) => isBelow(pointer, `/spec/${name}`))
  return later ?? around?.since ?? homeAround(pointer)?.parameter.since
}

function depth(pointer: JsonPointer): number {
  return pointer.split('/').length - 1
}
