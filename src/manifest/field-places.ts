import { catalog } from '../diagnostics/catalog.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { FieldPlace, Places, Surroundings } from './manifest.js'

/** Finds the place of a field, or of its nearest parent that exists. */
export function placeOf(places: Places, pointer: JsonPointer, marks: 'key' | 'value'): Place {
  return fieldPlace(places, pointer)[marks]
}

/** Adds the place to a diagnostic: the key or the value, as the catalog defines for its code. */
export function placed({ places }: { readonly places: Places }, diagnostic: Diagnostic): Diagnostic {
  const { pointer, code } = diagnostic
  const field = fieldPlace(places, pointer)
  return placedAt(diagnostic, { place: field[catalog[code].marks], ...field })
}

/** Adds a known place to a diagnostic. */
export function placedAt(
  diagnostic: Diagnostic,
  { place, way, under }: Surroundings & { readonly place: Place },
): Diagnostic {
  const related = [...(diagnostic.related ?? []), ...way, ...(under === undefined ? [] : [under])]
  return { ...diagnostic, place, ...(related.length > 0 && { related }) }
}

/** Finds the place of a field; for a missing field, the key of its nearest parent that exists. */
function fieldPlace(places: Places, pointer: JsonPointer): FieldPlace {
  const known = places[pointer]
  if (known !== undefined) return known
  if (pointer === '') throw new Error('the places of the manifest are missing')
  const { key, way } = fieldPlace(places, parentOf(pointer))
  return { key, value: key, way }
}
