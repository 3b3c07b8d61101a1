import type { Place, RelatedPlace } from '../diagnostics/place.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { FieldPlace, PackedPlaces } from './manifest.js'

/** A field: its pointer, the number of its file, and line and column of the start and end of its key and of its value. */
type Row = readonly [pointer: JsonPointer, file: number, ...numbers: number[]]

/**
 * Packs the places of all fields into a text. A run keeps those of every site to its end, and as objects they are most
 * of what it keeps. Key and value of a field are in one file, and a file is reached in one way.
 */
export function packPlaces(fields: Iterable<readonly [JsonPointer, FieldPlace]>): PackedPlaces {
  const files = new Map<string, FieldPlace['way']>()
  const unders: Partial<Record<JsonPointer, RelatedPlace>> = {}
  const rows: Row[] = []
  for (const [pointer, { key, value, way, under }] of fields) {
    if (!files.has(value.file)) files.set(value.file, way)
    if (under !== undefined) unders[pointer] = under
    const file = [...files.keys()].indexOf(value.file)
    rows.push([pointer, file, ...listNumbers(key), ...listNumbers(value)])
  }
  return { rows: JSON.stringify(rows), files: [...files], unders }
}

/** Finds the place of a field that exists. */
export function unpackPlace(places: PackedPlaces, pointer: JsonPointer): FieldPlace | undefined {
  const [, from, ...numbers] = rowsOf(places).get(pointer) ?? []
  if (from === undefined) return undefined
  const [file, way] = places.files[from] ?? missing()
  const under = places.unders[pointer]
  return {
    key: buildPlace(file, numbers),
    value: buildPlace(file, numbers.slice(4)),
    way,
    ...(under !== undefined && { under }),
  }
}

function listNumbers({ start, end }: Place): readonly number[] {
  return [start.line, start.column, end.line, end.column]
}

function buildPlace(file: string, [line = 0, column = 0, endLine = 0, endColumn = 0]: number[]): Place {
  return { file, start: { line, column }, end: { line: endLine, column: endColumn } }
}

function missing(): never {
  throw new Error('the places of the manifest name a file that they do not have')
}

type Rows = ReadonlyMap<JsonPointer, Row>

/** Held weakly: a plan asks for many places in a row, and a site that waits for none. */
const unpacked = new WeakMap<PackedPlaces, WeakRef<Rows>>()

function rowsOf(places: PackedPlaces): Rows {
  const known = unpacked.get(places)?.deref()
  if (known !== undefined) return known
  const rows = new Map((JSON.parse(places.rows) as Row[]).map(row => [row[0], row]))
  unpacked.set(places, new WeakRef(rows))
  return rows
}
