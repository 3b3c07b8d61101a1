import type { Place } from '../diagnostics/place.js'
import { child, type JsonPointer, nameOf, parentOf } from '../diagnostics/pointer.js'
import { sourceOf } from '../schema/field-rule.js'
import type { JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import { valueAt } from '../schema/member.js'
import type { Effective, Layer } from './effective.js'

/** What was written for a field in one file. */
export interface Written extends Place {
  /** What became of it: it counts, was merged with what is above, hidden by it, or takes away what is below. */
  readonly how: 'counts' | 'merged' | 'replaced' | 'removes'
  /** Of what is hidden or taken away. */
  readonly value?: JsonValue
}

/** Where an effective value is from; `layers` are the files that say anything of it, nearest first. */
export type ValueOrigin =
  | { readonly kind: 'written'; readonly layers: readonly Written[] }
  /** Nothing is written, and what then counts is known, from where `source` says. */
  | { readonly kind: 'default'; readonly source: string; readonly layers: readonly Written[] }
  /** Nothing counts: it was not written, or taken away. */
  | { readonly kind: 'not-set'; readonly layers: readonly Written[] }

/** What counts at a place of a manifest, and where that is from. */
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

/** What a nearer file takes away stands in no value any more, so that the files themselves are asked. */
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
