import type { Place, Related } from '../diagnostics/place.js'
import { child, type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { Places, Surroundings } from './manifest.js'
import { merge, type Under } from './merge.js'
import type { YamlDocument } from './yaml-document.js'

/** The merged manifest of one or more files, with the origin of every part of its value. */
export interface Effective {
  readonly value: JsonValue
  /** The source text of a value, before YAML parsing; `undefined` for the value of an alias. */
  written(pointer: JsonPointer): string | undefined
  /** The source text of a number, following an alias. */
  numeral(pointer: JsonPointer): string | undefined
  /** The place of a field: the file and the range of its key or value. */
  place(pointer: JsonPointer, marks: 'key' | 'value'): Place
  /** The file of a field and its pointer there: lists merge, so the index may differ. */
  originOf(pointer: JsonPointer): { readonly document: YamlDocument; readonly pointer: JsonPointer }
  /** Everything written for a field, nearest first: the effective value, and the values it is merged with or replaces. */
  layersOf(pointer: JsonPointer): readonly Layer[]
  /** Other places that explain a field. */
  around(pointer: JsonPointer): Surroundings
}

/** A field in one of the files. */
export interface Layer {
  readonly document: YamlDocument
  readonly pointer: JsonPointer
  /** The effect of the layer above on this one; absent for the nearest. */
  readonly how?: Under['how']
}

/** Merges `documents`: the manifest itself and its bases, nearest first. */
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

/** Records the place of every field, so that the files need not be kept. */
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

/** Lists the `extends` lines that lead from each file to the next, last first. */
export function wayFrom(documents: readonly YamlDocument[]): readonly Related[] {
  return [...documents]
    .reverse()
    .map(({ place }) => ({ message: 'extended here', place: place('/extends', 'value') }))
}

function below({ document, pointer, how }: Below): Related {
  const message = how === 'merged' ? 'merged with this' : 'overrides this'
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
