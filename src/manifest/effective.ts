import type { RelatedPlace } from '../diagnostics/place.js'
import type { JsonValue } from '../schema/json-schema.js'
import { type JsonPointer, readParent } from '../schema/pointer.js'
import type { RelatedPlaces } from './manifest.js'
import { type LowerPart, merge } from './merge.js'
import type { YamlDocument } from './yaml-document.js'

/** The merged manifest of one or more files, with the origin of every part of its value. */
export interface EffectiveManifest
  extends Pick<YamlDocument, 'value' | 'written' | 'numeral' | 'place' | 'placeOfPart'> {
  /** The file of a field and its pointer there: lists merge, so the index may differ. */
  findOrigin(pointer: JsonPointer): { readonly document: YamlDocument; readonly pointer: JsonPointer }
  /** Everything written for a field, nearest first: the effective value, and the values it is merged with or replaces. */
  findLayers(pointer: JsonPointer): readonly ManifestLayer[]
  /** Other places that explain a field. */
  around(pointer: JsonPointer): RelatedPlaces
}

/** A field in one of the files. */
export interface ManifestLayer {
  readonly document: YamlDocument
  readonly pointer: JsonPointer
  /** The effect of the layer above on this one; absent for the nearest. */
  readonly how?: LowerPart['how']
}

/** Merges `documents`: the manifest itself and its bases, nearest first. */
export function mergeDocuments(documents: readonly [YamlDocument, ...YamlDocument[]]): EffectiveManifest {
  const { value, findOrigin } = mergeLayers(documents)
  return {
    value,
    findOrigin: findOrigin,
    findLayers: pointer => [...listLayers(findOrigin(pointer))],
    written: pointer => {
      const origin = findOrigin(pointer)
      return origin.document.written(origin.pointer)
    },
    numeral: pointer => {
      const origin = findOrigin(pointer)
      return origin.document.numeral(origin.pointer)
    },
    place: (pointer, marks) => {
      const origin = findOrigin(pointer)
      return origin.document.place(origin.pointer, marks)
    },
    placeOfPart: (pointer, part) => {
      const { document, pointer: own } = findOrigin(pointer)
      return document.placeOfPart(own, part)
    },
    around: pointer => {
      const { document, under } = findOrigin(pointer)
      return {
        way: listExtendsPlaces(documents.slice(0, documents.indexOf(document))),
        ...(under !== undefined && pointer !== '' && { under: describeLowerLayer(under) }),
      }
    },
  }
}

/** Lists the `extends` lines that lead from each file to the next, last first. */
export function listExtendsPlaces(documents: readonly YamlDocument[]): readonly RelatedPlace[] {
  return [...documents]
    .reverse()
    .map(({ place }) => ({ message: 'extended here', place: place('/extends', 'value') }))
}

function describeLowerLayer({ document, pointer, how }: LowerOrigin): RelatedPlace {
  const message = how === 'merged' ? 'merged with this' : 'overrides this'
  return { message, place: document.place(pointer, 'key') }
}

interface FieldOrigin {
  readonly document: YamlDocument
  readonly pointer: JsonPointer
  readonly under?: LowerOrigin
}

interface LowerOrigin extends FieldOrigin {
  readonly how: LowerPart['how']
}

function* listLayers(nearest: FieldOrigin): Generator<ManifestLayer> {
  for (let one: FieldOrigin | undefined = nearest; one !== undefined; one = one.under) yield one
}

interface LayeredValue {
  readonly value: JsonValue
  findOrigin(pointer: JsonPointer): FieldOrigin
}

function mergeLayers([document, ...bases]: readonly [YamlDocument, ...YamlDocument[]]): LayeredValue {
  const [next, ...others] = bases
  if (next === undefined) return { value: document.value, findOrigin: pointer => ({ document, pointer }) }
  const base = mergeLayers([next, ...others])
  const { value, origins } = merge(document.value, base.value)
  const originOf = (pointer: JsonPointer, rest = ''): FieldOrigin => {
    const from = origins.get(pointer)
    if (from === undefined)
      return originOf(readParent(pointer), `${pointer.slice(readParent(pointer).length)}${rest}`)
    const at = `${from.pointer}${rest}` as JsonPointer
    if (from.side === 'base') return base.findOrigin(at)
    const under = rest === '' ? from.under : undefined
    return {
      document,
      pointer: at,
      ...(under !== undefined && { under: { ...base.findOrigin(under.pointer), how: under.how } }),
    }
  }
  return { value, findOrigin: pointer => originOf(pointer) }
}
