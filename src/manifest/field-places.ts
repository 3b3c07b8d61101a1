import { catalog } from '../diagnostics/catalog.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { type JsonPointer, readParent } from '../diagnostics/pointer.js'
import { collectPlaces, listPointers, mergeDocuments } from './effective.js'
import type { FieldPlace, FieldPlaces, PackedPlaces, RelatedPlaces } from './manifest.js'
import { unpackPlace } from './packed-places.js'
import { readWithLines } from './quick-value.js'
import { decodeText, type Source } from './source.js'
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
export function findOwnPlace(places: FieldPlaces, pointer: JsonPointer): FieldPlace | undefined {
  return unpackPlace('sources' in places ? lookForPlaces(places.sources) : places, pointer)
}

/** The line of a field. */
export interface FieldLine {
  readonly file: string
  readonly line: number
  /** False where the line is that of the nearest parent that exists. */
  readonly isOwn: boolean
}

/** Finds the line of a field, or of its nearest parent that exists: in one file without parsing it a second time. */
export function findLine(places: FieldPlaces, pointer: JsonPointer): FieldLine {
  const lines = 'sources' in places && places.sources.length === 1 ? lookForLines(places.sources) : undefined
  if (lines === undefined) {
    const { file, start } = findPlace(places, pointer, 'key')
    return { file, line: start.line, isOwn: findOwnPlace(places, pointer) !== undefined }
  }
  let at = pointer
  while (at !== '' && !lines.has(at)) at = readParent(at)
  return { file: findFile(places, at), line: lines.get(at) ?? 1, isOwn: at === pointer }
}

/** Finds the file of a field, or of its nearest parent that exists. */
export function findFile(places: FieldPlaces, pointer: JsonPointer): string {
  if ('sources' in places && places.sources.length === 1) return places.sources[0].name
  return findPlace(places, pointer, 'value').file
}

type Sources = readonly [Source, ...Source[]]

/** Held weakly: a plan asks for many places in a row, and a site that waits for none. */
const found = new WeakMap<Sources, WeakRef<PackedPlaces>>()

type Lines = ReadonlyMap<JsonPointer, number>

/** Held weakly, like the places; without lines where only the places can tell. */
const foundLines = new WeakMap<Sources, WeakRef<{ readonly lines: Lines | undefined }>>()

function lookForLines(sources: Sources): Lines | undefined {
  const known = foundLines.get(sources)?.deref()
  if (known !== undefined) return known.lines
  const text = decodeText(sources[0])
  const read = text === undefined ? undefined : readWithLines(text)
  const pointers = read === undefined ? [] : [...listPointers(read.value, '')]
  const lines = read && new Map(pointers.map((pointer, at) => [pointer, read.lines[at] ?? missing()]))
  foundLines.set(sources, new WeakRef({ lines }))
  return lines
}

function missing(): never {
  throw new Error('a field of a manifest has no line')
}

function lookForPlaces(sources: Sources): PackedPlaces {
  const known = found.get(sources)?.deref()
  if (known !== undefined) return known
  // Copies: the parsed text is kept as long as the object that it was read from.
  const [document, ...bases] = sources.flatMap(({ name, bytes }) => parseYaml({ name, bytes }).document ?? [])
  if (document === undefined) throw new Error('a manifest that was read cannot be read again')
  const packed = collectPlaces(mergeDocuments([document, ...bases]))
  found.set(sources, new WeakRef(packed))
  return packed
}

/** Finds the place of a field; for a missing field, the key of its nearest parent that exists. */
function findFieldPlace(places: FieldPlaces, pointer: JsonPointer): FieldPlace {
  const known = findOwnPlace(places, pointer)
  if (known !== undefined) return known
  if (pointer === '') throw new Error('the places of the manifest are missing')
  const { key, way } = findFieldPlace(places, readParent(pointer))
  return { key, value: key, way }
}
