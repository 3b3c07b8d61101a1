import { catalog } from '../diagnostics/catalog.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { FieldPlace, Places, Surroundings } from './manifest.js'

/** Where a field stands, or the nearest thing around one that is not there. */
export function placeOf(places: Places, pointer: JsonPointer, marks: 'key' | 'value'): Place {
  return fieldPlace(places, pointer)[marks]
}

/** Puts a diagnostic at its place: at the key or the value, as the catalog says for its code. */
export function placed({ places }: { readonly places: Places }, diagnostic: Diagnostic): Diagnostic {
  const { pointer, code } = diagnostic
  const field = fieldPlace(places, pointer)
  return placedAt(diagnostic, { place: field[catalog[code].marks], ...field })
}

/** The same for a place that is known. */
export function placedAt(
  diagnostic: Diagnostic,
  { place, way, under }: Surroundings & { readonly place: Place },
): Diagnostic {
  const related = [...(diagnostic.related ?? []), ...way, ...(under === undefined ? [] : [under])]
  return { ...diagnostic, place, ...(related.length > 0 && { related }) }
}

/** What is not there stands where the key of the nearest thing around it does, and in place of nothing. */
function fieldPlace(places: Places, pointer: JsonPointer): FieldPlace {
  const known = places[pointer]
  if (known !== undefined) return known
  if (pointer === '') throw new Error('nobody noted where the manifest stands')
  const { key, way } = fieldPlace(places, parentOf(pointer))
  return { key, value: key, way }
}
