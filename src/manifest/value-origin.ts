import type { Place } from '../diagnostics/place.js'
import { appendSegment, type JsonPointer, readLastSegment, readParent } from '../diagnostics/pointer.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { formatSource } from '../schema/fields.js'
import type { JsonValue } from '../schema/json-schema.js'
import { readValue } from '../schema/member.js'
import type { EffectiveManifest, ManifestLayer } from './effective.js'

/** The value of a field in one file. */
export interface WrittenValue extends Place {
  /** Its effect: it counts, is merged with the layer above, is replaced by it, or removes the layers below. */
  readonly how: 'counts' | 'merged' | 'replaced' | 'removes'
  /** The value, if it is replaced or removed. */
  readonly value?: JsonValue
}

/** The origin of an effective value; `layers` are the files that set the field, nearest first. */
export type ValueOrigin =
  | { readonly kind: 'written'; readonly layers: readonly WrittenValue[] }
  /** Nothing is written; the default is known from `source`. */
  | { readonly kind: 'default'; readonly source: string; readonly layers: readonly WrittenValue[] }
  /** There is no value: it was not written, or was removed. */
  | { readonly kind: 'not-set'; readonly layers: readonly WrittenValue[] }

/** Finds the effective value of a field and its origin. */
export function findValueOrigin(
  pointer: JsonPointer,
  effective: EffectiveManifest,
): { readonly value?: JsonValue; readonly origin: ValueOrigin } {
  const value = readValue(effective.value, pointer)
  if (value !== undefined) {
    const layers = effective.findLayers(pointer).map(one => readWrittenValue(one, one.how ?? 'counts'))
    return { value, origin: { kind: 'written', layers } }
  }
  const layers = listRemovedLayers(pointer, effective)
  const schema = findFieldSchema(pointer)
  // A default counts only in a part that is there.
  return schema.default === undefined || readValue(effective.value, readParent(pointer)) === undefined
    ? { origin: { kind: 'not-set', layers } }
    : {
        value: schema.default,
        origin: { kind: 'default', source: formatSource(schema) ?? 'Landform', layers },
      }
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
  const isHidden = how === 'replaced' && value !== undefined
  return { ...document.place(pointer, 'value'), how, ...(isHidden && { value }) }
}
