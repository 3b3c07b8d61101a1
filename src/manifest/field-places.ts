import { catalog } from '../diagnostics/catalog.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { type JsonPointer, readParent } from '../diagnostics/pointer.js'
import type { FieldPlace, FieldPlaces, RelatedPlaces } from './manifest.js'
import { unpackPlace } from './packed-places.js'

/** Finds the place of a field, or of its nearest parent that exists. */
export function findPlace(places: FieldPlaces, pointer: JsonPointer, marks: 'key' | 'value'): Place {
  return findFieldPlace(places, pointer)[marks]
}

/** Adds the place to a diagnostic: the key or the value, as the catalog defines for its code. */
export function addPlace({ places }: { readonly places: FieldPlaces }, diagnostic: Diagnostic): Diagnostic {
  const { pointer, code } = diagnostic
  const field = findFieldPlace(places, pointer)
  return addKnownPlace(diagnostic, { place: field[catalog[code].marks], ...field })
}

/** Adds a known place to a diagnostic. */
export function addKnownPlace(
  diagnostic: Diagnostic,
  { place, way, under }: RelatedPlaces & { readonly place: Place },
): Diagnostic {
  const related = [...(diagnostic.related ?? []), ...way, ...(under === undefined ? [] : [under])]
  return { ...diagnostic, place, ...(related.length > 0 && { related }) }
}

/** Finds the place of a field; for a missing field, the key of its nearest parent that exists. */
function findFieldPlace(places: FieldPlaces, pointer: JsonPointer): FieldPlace {
  const known = unpackPlace(places, pointer)
  if (known !== undefined) return known
  if (pointer === '') throw new Error('the places of the manifest are missing')
  const { key, way } = findFieldPlace(places, readParent(pointer))
  return { key, value: key, way }
}
