import type { Place, Related } from '../diagnostics/place.js'
import { child, type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { Places, Surroundings } from './manifest.js'
import { merge, type Under } from './merge.js'
import type { YamlDocument } from './yaml-document.js'

/** The manifest that one or more files make; every part of its value knows where it was written. */
export interface Effective {
  readonly value: JsonValue
  /** The value as it is written, before YAML made a number of it; `undefined` for what an alias stands for. */
  written(pointer: JsonPointer): string | undefined
  /** The number at a place as it is written, there or where an alias leads. */
  numeral(pointer: JsonPointer): string | undefined
  /** Where a field stands: the file and the range of its key or value. */
  place(pointer: JsonPointer, marks: 'key' | 'value'): Place
  /** The file that a field was written in, and where it stands there: lists merge, so its number may differ. */
  originOf(pointer: JsonPointer): { readonly document: YamlDocument; readonly pointer: JsonPointer }
  /** All that was written for a field, nearest first: what counts, and what it is merged with or stands in place of. */
  layersOf(pointer: JsonPointer): readonly Layer[]
  /** Other places that explain a field. */
  around(pointer: JsonPointer): Surroundings
}

/** A field in one of the files. */
export interface Layer {
  readonly document: YamlDocument
  readonly pointer: JsonPointer
  /** What the layer above does with it; absent for the nearest. */
  readonly how?: Under['how']
}

/** `documents` are the manifest itself and what it builds on, nearest first. */
export function effectiveOf(documents: readonly [YamlDocument, ...YamlDocument[]]): Effective {
  const { value, originOf } = layered(documents)
  return {
    value,
    originOf,
    layersOf: pointer => [...layers(originOf(pointer))],
    written: pointer => {
      const origin = originOf(pointer)
      return origin.document.written(origin.pointer)
    },
    numeral: pointer => {
      const origin = originOf(pointer)
      return origin.document.numeral(origin.pointer)
    },
    place: (pointer, marks) => {
      const origin = originOf(pointer)
      return origin.document.place(origin.pointer, marks)
    },
    around: pointer => {
      const { document, under } = originOf(pointer)
      return {
        way: wayFrom(documents.slice(0, documents.indexOf(document))),
        ...(under !== undefined && pointer !== '' && { under: below(under) }),
      }
    },
  }
}

/** Notes where everything in a manifest stands, so that its files need not be kept for that. */
export function placesIn({ value, place, around }: Effective): Places {
  const pointers = [...pointersIn(value, '')]
  return Object.fromEntries(
    pointers.map(at => [at, { key: place(at, 'key'), value: place(at, 'value'), ...around(at) }]),
  )
}

function* pointersIn(value: JsonValue, at: JsonPointer): Generator<JsonPointer> {
  yield at
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value) as [string, JsonValue][])
      yield* pointersIn(member, child(at, name))
}

/** The lines of some files that lead on from each to the next, the last one first. */
export function wayFrom(documents: readonly YamlDocument[]): readonly Related[] {
  return [...documents]
    .reverse()
    .map(({ place }) => ({ message: 'extended here', place: place('/extends', 'value') }))
}

function below({ document, pointer, how }: Below): Related {
  const message = how === 'merged' ? 'merged with this' : 'in place of this'
  return { message, place: document.place(pointer, 'key') }
}

interface Origin {
  readonly document: YamlDocument
  readonly pointer: JsonPointer
  readonly under?: Below
}

interface Below extends Origin {
  readonly how: Under['how']
}

function* layers(nearest: Origin): Generator<Layer> {
  for (let one: Origin | undefined = nearest; one !== undefined; one = one.under) yield one
}

interface Layered {
  readonly value: JsonValue
  originOf(pointer: JsonPointer): Origin
}

function layered([document, ...bases]: readonly [YamlDocument, ...YamlDocument[]]): Layered {
  const [next, ...others] = bases
  if (next === undefined) return { value: document.value, originOf: pointer => ({ document, pointer }) }
  const base = layered([next, ...others])
  const { value, origins } = merge(document.value, base.value)
  const originOf = (pointer: JsonPointer, rest = ''): Origin => {
    const from = origins.get(pointer)
    if (from === undefined)
      return originOf(parentOf(pointer), `${pointer.slice(parentOf(pointer).length)}${rest}`)
    const at = `${from.pointer}${rest}` as JsonPointer
    if (from.side === 'base') return base.originOf(at)
    const under = rest === '' ? from.under : undefined
    return {
      document,
      pointer: at,
      ...(under !== undefined && { under: { ...base.originOf(under.pointer), how: under.how } }),
    }
  }
  return { value, originOf: pointer => originOf(pointer) }
}
