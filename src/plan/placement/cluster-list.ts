import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import type { Result } from '../../result.js'
import { isObject, type JsonObject } from '../../schema/json-schema.js'

/** A fault of a list that `kubectl` printed, as a kind with facts. */
export type ListFault =
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'duplicate-name' }
  | { readonly kind: 'no-nodes' }
  | {
      readonly kind: 'wrong-type'
      readonly expected: 'list' | 'object' | 'list-or-object' | 'boolean'
    }
  | { readonly kind: 'wrong-kind'; readonly expected: readonly string[] }
  | { readonly kind: 'wrong-value'; readonly expected: readonly string[] }
  /** Not a text of the required form, or one that is too long. */
  | {
      readonly kind: 'wrong-text'
      readonly is: 'name' | 'label' | 'taint-key' | 'taint-value' | 'word'
      readonly longest: number
    }
  | { readonly kind: 'too-many'; readonly of: 'elements' | 'labels' | 'taints'; readonly limit: number }

/** The first fault of a list, and its place in the JSON. */
export interface ClusterListFailure {
  readonly kind: ClusterKind<never>['kind']
  readonly pointer: JsonPointer
  readonly fault: ListFault
}

/** The objects of a cluster, or the first fault in their list. */
export type ClusterListReply<T> = Result<readonly T[], ClusterListFailure>

/** A fault and its place. */
export type PlacedListFault = readonly [pointer: JsonPointer, fault: ListFault]

/** One kind of object of a cluster: the checks before an object is read, and the part of it that is kept. */
export interface ClusterKind<T extends { readonly name: string }> {
  readonly kind: 'Node' | 'StorageClass'
  faults(object: JsonObject, at: JsonPointer): Iterable<PlacedListFault>
  /** Reads the part that is kept; called only for an object without faults. */
  pick(object: JsonObject): T
}

/** Limits on the output of a cluster, far above those that Kubernetes supports. */
export const clusterCaps = { bytes: 64 * 1024 * 1024, objects: 20_000, name: 253 } as const

/**
 * Reads the output of `kubectl get … -o json`: a list, its items alone, or one object. Never throws, and rejects the
 * whole list where one object is not understood: without that node the count would be wrong.
 */
export function readList<T extends { readonly name: string }>(
  bytes: Uint8Array,
  kind: ClusterKind<T>,
): ClusterListReply<T> {
  const refused = ([pointer, fault]: PlacedListFault): ClusterListReply<T> => ({
    ok: false,
    error: { kind: kind.kind, pointer, fault },
  })
  const parsed = parseJsonBytes(bytes)
  if (!parsed.ok) return refused(['', parsed.error])
  const listed = findItems(parsed.value, kind)
  if (!listed.ok) return refused(listed.error)
  const { items, at } = listed.value
  if (items.length > clusterCaps.objects)
    return refused([at, { kind: 'too-many', of: 'elements', limit: clusterCaps.objects }])
  const value = new Map<string, T>()
  for (const [index, item] of items.entries()) {
    const pointer = Array.isArray(parsed.value) || at !== '' ? appendSegment(at, index) : at
    const fault = findFirstFault(item, pointer, kind)
    if (fault !== undefined) return refused(fault)
    const kept = kind.pick(item as JsonObject)
    if (value.has(kept.name))
      return refused([appendSegment(appendSegment(pointer, 'metadata'), 'name'), { kind: 'duplicate-name' }])
    value.set(kept.name, kept)
  }
  return { ok: true, value: [...value.values()] }
}

type ParseReply = Result<unknown, ListFault>

/** Parses the JSON. The message of the parser is left out, because it quotes the text. */
function parseJsonBytes(bytes: Uint8Array): ParseReply {
  if (bytes.byteLength > clusterCaps.bytes)
    return { ok: false, error: { kind: 'too-large', limitBytes: clusterCaps.bytes } }
  if (bytes.byteLength === 0) return { ok: false, error: { kind: 'empty' } }
  try {
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch {
    return { ok: false, error: { kind: 'not-json' } }
  }
}

type ItemsReply = Result<{ readonly items: readonly unknown[]; readonly at: JsonPointer }, PlacedListFault>

function findItems(value: unknown, { kind }: { readonly kind: string }): ItemsReply {
  if (Array.isArray(value)) return { ok: true, value: { items: value, at: '' } }
  if (!isObject(value)) return { ok: false, error: ['', wrongType('list-or-object')] }
  if (value['kind'] === kind) return { ok: true, value: { items: [value], at: '' } }
  if (value['kind'] !== 'List' && value['kind'] !== `${kind}List`)
    return { ok: false, error: ['/kind', { kind: 'wrong-kind', expected: ['List', kind] }] }
  const { items } = value
  if (!Array.isArray(items)) return { ok: false, error: ['/items', wrongType('list')] }
  return { ok: true, value: { items, at: '/items' } }
}

function findFirstFault<T extends { readonly name: string }>(
  item: unknown,
  at: JsonPointer,
  kind: ClusterKind<T>,
): PlacedListFault | undefined {
  if (!isObject(item)) return [at, wrongType('object')]
  // The items of a raw answer of the API server do not repeat their kind.
  if (item['kind'] !== undefined && item['kind'] !== kind.kind)
    return [appendSegment(at, 'kind'), { kind: 'wrong-kind', expected: [kind.kind] }]
  const { metadata } = item
  if (!isObject(metadata)) return [appendSegment(at, 'metadata'), wrongType('object')]
  const { name } = metadata
  if (typeof name !== 'string' || name === '' || name.length > clusterCaps.name)
    return [
      appendSegment(appendSegment(at, 'metadata'), 'name'),
      { kind: 'wrong-text', is: 'name', longest: clusterCaps.name },
    ]
  for (const fault of kind.faults(item, at)) return fault
  return undefined
}

/** Reads the name of an object whose metadata were checked. */
export function readName(object: JsonObject): string {
  const { metadata } = object
  return isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : ''
}

export function wrongType(
  expected: Extract<ListFault, { readonly kind: 'wrong-type' }>['expected'],
): ListFault {
  return { kind: 'wrong-type', expected }
}
