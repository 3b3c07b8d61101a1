import type { Place } from '../diagnostics/place.js'
import { child, type JsonPointer, nameOf, parentOf } from '../diagnostics/pointer.js'
import { sourceOf } from '../schema/field-rule.js'
import type { JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import { valueAt } from '../schema/member.js'
import type { Effective, Layer } from './effective.js'

/** The value of a field in one file. */
export interface Written extends Place {
  /** Its effect: it counts, is merged with the layer above, is replaced by it, or removes the layers below. */
  readonly how: 'counts' | 'merged' | 'replaced' | 'removes'
  /** The value, if it is replaced or removed. */
  readonly value?: JsonValue
}

/** The origin of an effective value; `layers` are the files that set the field, nearest first. */
export type ValueOrigin =
  | { readonly kind: 'written'; readonly layers: readonly Written[] }
  /** Nothing is written; the default is known from `source`. */
  | { readonly kind: 'default'; readonly source: string; readonly layers: readonly Written[] }
  /** There is no value: it was not written, or was removed. */
  | { readonly kind: 'not-set'; readonly layers: readonly Written[] }

/** Finds the effective value of a field and its origin. */
export function valueOrigin(
  pointer: JsonPointer,
  effective: Effective,
): { readonly value?: JsonValue; readonly origin: ValueOrigin } {
  const value = valueAt(effective.value, pointer)
  if (value !== undefined) {
    const layers = effective.layersOf(pointer).map(one => writtenIn(one, one.how ?? 'counts'))
    return { value, origin: { kind: 'written', layers } }
  }
  const layers = takenAway(pointer, effective)
  const schema = fieldSchema(pointer)
  // A default counts only in a part that is there.
  return schema.default === undefined || valueAt(effective.value, parentOf(pointer)) === undefined
    ? { origin: { kind: 'not-set', layers } }
    : { value: schema.default, origin: { kind: 'default', source: sourceOf(schema) ?? 'Landform', layers } }
}

/** Lists the layers of a removed field, which only the files themselves still contain. */
function takenAway(pointer: JsonPointer, effective: Effective): readonly Written[] {
  const name = nameOf(pointer)
  return effective
    .layersOf(parentOf(pointer))
    .map(layer => ({ ...layer, pointer: child(layer.pointer, name) }))
    .flatMap(layer => {
      const value = valueAt(layer.document.value, layer.pointer)
      return value === undefined ? [] : [writtenIn(layer, value === null ? 'removes' : 'replaced')]
    })
}

function writtenIn({ document, pointer }: Layer, how: Written['how']): Written {
  const value = valueAt(document.value, pointer)
  const isHidden = how === 'replaced' && value !== undefined
  return { ...document.place(pointer, 'value'), how, ...(isHidden && { value }) }
}
