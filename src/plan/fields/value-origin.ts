import type { EffectiveManifest, ManifestLayer } from '../../manifest/effective.js'
import { isConfidential } from '../../manifest/secret-diagnostics.js'
import { findFieldSchema } from '../../schema/field-schema.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { appendSegment, type JsonPointer, readLastSegment, readParent } from '../../schema/pointer.js'
import { readValue } from '../../schema/select.js'
import type { ApplyRecord } from '../situation.js'
import { findAppliedValue } from './known.js'

/** The origin of a value in a manifest: the files that set it, its default, and its last apply. */
export interface ValueOrigin {
  readonly pointer: JsonPointer
  /** The value in effect; absent for a field that is not set and has no known default. */
  readonly value?: JsonValue
  /** True if no file sets it. */
  readonly isDefault: boolean
  /** The files that set it, from the manifest to its most distant base. */
  readonly layers: readonly WrittenValue[]
  readonly recorded?: { readonly recordedAt: string; readonly asserted: boolean; readonly value?: JsonValue }
}

/** The value of a field in one file. */
export interface WrittenValue {
  readonly file: string
  readonly line: number
  /** The effect of the value: it counts, is merged with the layer above, is replaced by that, or removes the layers below. */
  readonly how: 'counts' | 'merged' | 'replaced' | 'removes'
  /** The value, if it is replaced and neither a map, a list nor a secret. */
  readonly value?: JsonValue
}

/** Finds the origin of the value at one place of a manifest. */
export function findValueOrigin(
  pointer: JsonPointer,
  effective: EffectiveManifest,
  record: ApplyRecord,
): ValueOrigin {
  const written = readValue(effective.value, pointer)
  const { default: preset } = findFieldSchema(pointer)
  // A default counts only in a section that exists. That of the profile does not count beside the two that replace it.
  const isReplaced =
    pointer === '/spec/profile' && readValue(effective.value, '/spec/deploymentProfiles') !== undefined
  const isDefault =
    written === undefined &&
    preset !== undefined &&
    !isReplaced &&
    readValue(effective.value, readParent(pointer)) !== undefined
  const value = isDefault ? preset : written
  const recorded = findRecordedValue(pointer, record)
  return {
    pointer,
    ...(value !== undefined && { value }),
    isDefault,
    layers: written === undefined ? listRemovedLayers(pointer, effective) : listLayers(pointer, effective),
    ...(recorded && { recorded }),
  }
}

function findRecordedValue(pointer: JsonPointer, record: ApplyRecord): ValueOrigin['recorded'] {
  const isApplied = /^\/spec\/(?!(?:site|state)(?:\/|$))/.test(pointer)
  const applied = isApplied ? findAppliedValue(record, pointer) : undefined
  if (applied === undefined) return undefined
  const { organization, policy } = record
  const upgrade = policy && { upgrade: { podPlacementPolicy: policy.value } }
  const value = readValue({ spec: { ...organization?.value, ...upgrade } }, pointer)
  const { appliedAt, assertion } = applied
  return {
    recordedAt: assertion?.assertedAt ?? appliedAt,
    asserted: assertion !== undefined,
    ...(value !== undefined && { value }),
  }
}

/** Lists the files that set a value, and those in which the map or list around it was replaced. */
function listLayers(pointer: JsonPointer, effective: EffectiveManifest): readonly WrittenValue[] {
  const own = effective.findLayers(pointer).map(layer => readWrittenValue(layer, layer.how ?? 'counts'))
  const around = pointer === '' ? [] : listLayers(readParent(pointer), effective)
  return [...own, ...around.filter(({ how }) => how === 'replaced')]
}

/** Lists the layers of a removed field, which only the files themselves still contain. */
function listRemovedLayers(pointer: JsonPointer, effective: EffectiveManifest): readonly WrittenValue[] {
  const name = readLastSegment(pointer)
  return effective
    .findLayers(readParent(pointer))
    .map(layer => ({ ...layer, pointer: appendSegment(layer.pointer, name) }))
    .flatMap(layer => {
      const value = readValue(layer.document.value, layer.pointer)
      return value === undefined ? [] : [readWrittenValue(layer, value === null ? 'removes' : 'replaced')]
    })
}

function readWrittenValue({ document, pointer }: ManifestLayer, how: WrittenValue['how']): WrittenValue {
  const value = readValue(document.value, pointer)
  const { file, start } = document.place(pointer, 'value')
  // Only the value in effect was checked for a literal secret.
  const isShown = how === 'replaced' && typeof value !== 'object' && !isConfidential(pointer)
  return { file, line: start.line, how, ...(isShown && value !== undefined && { value }) }
}
