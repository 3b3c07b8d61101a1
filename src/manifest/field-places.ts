import { catalog, type Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { type JsonPointer, readParent } from '../schema/pointer.js'
import { readValue } from '../schema/select.js'
import { type EffectiveManifest, mergeDocuments } from './effective.js'
import type { FieldPlace, FieldPlaces, RelatedPlaces, TextFile } from './manifest.js'
import { parseYaml } from './yaml-document.js'

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

/** Finds the place of a field that exists. */
function findOwnPlace(places: FieldPlaces, pointer: JsonPointer): FieldPlace | undefined {
  if ('known' in places) return places.known[pointer]
  const { value, place, around } = readAgain(places)
  if (readValue(value, pointer) === undefined) return undefined
  return { key: place(pointer, 'key'), value: place(pointer, 'value'), ...around(pointer) }
}

/** Held weakly: a plan looks up many places in a row, but a site that waits needs none. */
const found = new WeakMap<FieldPlaces, WeakRef<EffectiveManifest>>()

/** Parses the files of a manifest again: keeping the places of many sites would fill the memory. */
function readAgain(places: { readonly files: readonly TextFile[] }): EffectiveManifest {
  const known = found.get(places)?.deref()
  if (known !== undefined) return known
  const [document, ...bases] = places.files.flatMap(
    ({ name, text }) => parseYaml({ name, bytes: Buffer.from(text) }).document ?? [],
  )
  if (document === undefined) throw new Error('a manifest that was read cannot be read again')
  const manifest = mergeDocuments([document, ...bases])
  found.set(places, new WeakRef(manifest))
  return manifest
}

/** The line of a field. */
interface FieldLine {
  readonly file: string
  readonly line: number
  /** False if the line is that of the nearest parent that exists. */
  readonly isOwn: boolean
}

/** Finds the line of a field, or of its nearest parent that exists. */
export function findLine(places: FieldPlaces, pointer: JsonPointer): FieldLine {
  const { file, start } = findPlace(places, pointer, 'key')
  return { file, line: start.line, isOwn: findOwnPlace(places, pointer) !== undefined }
}

/** Finds the file of a field, or of its nearest parent that exists. */
export function findFile(places: FieldPlaces, pointer: JsonPointer): string {
  return findPlace(places, pointer, 'value').file
}

/** Finds the place of a field; for a missing field, the key of its nearest parent that exists. */
function findFieldPlace(places: FieldPlaces, pointer: JsonPointer): FieldPlace {
  const known = findOwnPlace(places, pointer)
  if (known !== undefined) return known
  if (pointer === '') throw new Error('the places of the manifest are missing')
  const { key, way } = findFieldPlace(places, readParent(pointer))
  return { key, value: key, way }
}
