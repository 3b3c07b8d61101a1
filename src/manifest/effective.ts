import { catalog } from '../diagnostics/catalog.js'
import type { Diagnostic, Place, Related } from '../diagnostics/diagnostic.js'
import { type JsonPointer, parentOf } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
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
  /** Other places that explain a field: the lines that brought its file in, and what it stands in place of. */
  related(pointer: JsonPointer): readonly Related[]
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
    related: pointer => {
      const { document, under } = originOf(pointer)
      return [
        ...wayFrom(documents.slice(0, documents.indexOf(document))),
        ...(under === undefined || pointer === '' ? [] : [below(under)]),
      ]
    },
  }
}

/** The lines of some files that lead on from each to the next, the last one first. */
export function wayFrom(documents: readonly YamlDocument[]): readonly Related[] {
  return [...documents]
    .reverse()
    .map(({ place }) => ({ message: 'extended here', place: place('/extends', 'value') }))
}

/** Puts a diagnostic at its place: at the key or the value, as the catalog says for its code. */
export function placed(manifest: Pick<Effective, 'place' | 'related'>, diagnostic: Diagnostic): Diagnostic {
  const place = manifest.place(diagnostic.pointer, catalog[diagnostic.code].marks)
  const related = [...(diagnostic.related ?? []), ...manifest.related(diagnostic.pointer)]
  return { ...diagnostic, place, ...(related.length > 0 && { related }) }
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
