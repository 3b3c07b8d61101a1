import { reportedCloudFields } from '../contract/cloud.js'
import { type Field, fields } from '../contract/fields.js'
import { reportedProfiles } from '../contract/profiles.js'
import { findIntroduction, type ServiceVersion } from '../contract/versions.js'
import { isBelow, type JsonPointer, readLastSegment, splitPointer } from './pointer.js'

/** One line of the table *manifest path → request parameter → since version*. */
type ParameterPath = Pick<Field, 'pointer' | 'operation' | 'parameter'>

/** Every documented parameter of `configure` and `update` with its path in the manifest; `f` has none. */
export const parameterPaths: readonly ParameterPath[] = fields.filter(({ source }) => source !== 'reported')

const deepestFirst = fields.toSorted((a, b) => b.pointer.length - a.pointer.length)

/** Finds the field at or around a place of a manifest; `undefined` for a place without a request parameter. */
export function findFieldAround(pointer: JsonPointer): Field | undefined {
  return deepestFirst.find(field => isBelow(pointer, field.pointer))
}

/** Finds the documented field at or around a place of a manifest. */
export function findParameterPath(pointer: JsonPointer): ParameterPath | undefined {
  const around = findFieldAround(pointer)
  return around?.source === 'reported' ? undefined : around
}

/** The fields that were introduced after the first version with `configure`. Service §9. */
export const newerFields: readonly { readonly name: string; readonly since: ServiceVersion }[] = [
  ...parameterPaths
    .filter(
      ({ pointer, parameter }) =>
        parameter.since !== findIntroduction('configure') &&
        parameter.name !== 'token' &&
        countSegments(pointer) === 2,
    )
    .map(({ pointer, parameter }) => ({ name: pointer.slice('/spec/'.length), since: parameter.since })),
  { name: 'deploymentProfiles', since: reportedProfiles.since },
]

/** Finds the version that introduced a place of a manifest; `undefined` for fields of Landform itself. Service §9. */
export function findSince(pointer: JsonPointer): ServiceVersion | undefined {
  const later = isBelow(pointer, '/spec/cloudStorage')
    ? reportedCloudFields.get(readLastSegment(pointer))
    : undefined
  const around = newerFields.find(({ name }) => isBelow(pointer, `/spec/${name}`))
  return later ?? around?.since ?? findParameterPath(pointer)?.parameter.since
}

function countSegments(pointer: JsonPointer): number {
  return pointer.split('/').length - 1
}

/** The request parameter that contains a field. */
interface RequestParameterPath {
  readonly operation: 'configure' | 'update'
  readonly parameter: string
}

/** Finds the request parameters with a place of a manifest and the fields in it; empty for fields that are never sent. */
export function findParameterPaths(pointer: JsonPointer): readonly RequestParameterPath[] {
  const [, part, name] = splitPointer(pointer)
  if (part === 'extra' && name !== undefined) return [{ operation: 'configure', parameter: name }]
  const around = findFieldAround(pointer)
  const inside = parameterPaths.filter(home => home.pointer !== pointer && isBelow(home.pointer, pointer))
  return [...(around ? [around] : []), ...inside].map(({ operation, parameter }) => ({
    operation,
    parameter: parameter.name,
  }))
}
