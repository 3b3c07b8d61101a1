import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { quoted } from '../../diagnostics/words.js'
import type { Result } from '../../result.js'
import { isObject, type JsonObject } from '../../schema/json-schema.js'

/** Why what `kubectl` printed cannot be read: where in its JSON, what is wrong there, and what to do. */
export interface Misreading {
  readonly pointer: JsonPointer
  readonly problem: string
  readonly remedy: string
}

/** What was read of a cluster, or the first thing that cannot be. */
export type Reading<T> = Result<readonly T[], Misreading>

/** One thing that is wrong, and its place. */
export type Fault = readonly [pointer: JsonPointer, problem: string]

/** One kind of object of a cluster: what is looked at before an object is taken, and what is kept of it. */
export interface ClusterKind<T extends { readonly name: string }> {
  readonly kind: 'Node' | 'StorageClass'
  /** Its name in a command of `kubectl`. */
  readonly plural: string
  faults(object: JsonObject, at: JsonPointer): Iterable<Fault>
  /** Only for an object without faults. */
  kept(object: JsonObject): T
}

/** What may come from a cluster; far above what Kubernetes supports. */
export const clusterCaps = { bytes: 64 * 1024 * 1024, objects: 20_000, name: 253 } as const

/**
 * Reads what `kubectl get … -o json` prints: a list, its items alone, or one object. Never throws, and takes nothing
 * that it does not understand: a node that is left out would make the count wrong.
 */
export function readList<T extends { readonly name: string }>(
  bytes: Uint8Array,
  kind: ClusterKind<T>,
): Reading<T> {
  const remedy = `write it anew: kubectl get ${kind.plural} -o json`
  const refused = ([pointer, problem]: Fault): Reading<T> => ({
    ok: false,
    error: { pointer, problem, remedy },
  })
  const parsed = parsedJson(bytes)
  if (!parsed.ok) return refused(['', parsed.error])
  const listed = itemsIn(parsed.value, kind)
  if (!listed.ok) return refused(listed.error)
  const { items, at } = listed.value
  if (items.length > clusterCaps.objects)
    return refused([at, `has more than ${clusterCaps.objects} elements`])
  const value = new Map<string, T>()
  for (const [index, item] of items.entries()) {
    const pointer = Array.isArray(parsed.value) || at !== '' ? child(at, index) : at
    const fault = firstFault(item, pointer, kind)
    if (fault !== undefined) return refused(fault)
    const kept = kind.kept(item as JsonObject)
    if (value.has(kept.name))
      return refused([child(child(pointer, 'metadata'), 'name'), 'names one that was there before'])
    value.set(kept.name, kept)
  }
  return { ok: true, value: [...value.values()] }
}

type Parsed = Result<unknown, string>

/** The words of the parser are left out, for they quote the text. */
function parsedJson(bytes: Uint8Array): Parsed {
  if (bytes.byteLength > clusterCaps.bytes)
    return { ok: false, error: `is larger than ${clusterCaps.bytes / 1024 / 1024} MiB` }
  if (bytes.byteLength === 0) return { ok: false, error: 'is empty' }
  try {
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch {
    return { ok: false, error: 'is no JSON in UTF-8' }
  }
}

type Listed = Result<{ readonly items: readonly unknown[]; readonly at: JsonPointer }, Fault>

function itemsIn(value: unknown, { kind }: { readonly kind: string }): Listed {
  if (Array.isArray(value)) return { ok: true, value: { items: value, at: '' } }
  if (!isObject(value)) return { ok: false, error: ['', 'is neither a list nor an object'] }
  if (value['kind'] === kind) return { ok: true, value: { items: [value], at: '' } }
  if (value['kind'] !== 'List' && value['kind'] !== `${kind}List`)
    return { ok: false, error: ['/kind', `is neither ${quoted('List')} nor ${quoted(kind)}`] }
  const { items } = value
  if (!Array.isArray(items)) return { ok: false, error: ['/items', 'is no list'] }
  return { ok: true, value: { items, at: '/items' } }
}

function firstFault<T extends { readonly name: string }>(
  item: unknown,
  at: JsonPointer,
  kind: ClusterKind<T>,
): Fault | undefined {
  if (!isObject(item)) return [at, 'is no object']
  // The items of a raw answer of the API server do not repeat their kind.
  if (item['kind'] !== undefined && item['kind'] !== kind.kind)
    return [child(at, 'kind'), `is not ${quoted(kind.kind)}`]
  const { metadata } = item
  if (!isObject(metadata)) return [child(at, 'metadata'), 'is no object']
  const { name } = metadata
  if (typeof name !== 'string' || name === '' || name.length > clusterCaps.name)
    return [child(child(at, 'metadata'), 'name'), `is no name of 1 to ${clusterCaps.name} characters`]
  for (const fault of kind.faults(item, at)) return fault
  return undefined
}

/** The name of an object whose metadata were looked at. */
export function nameIn(object: JsonObject): string {
  const { metadata } = object
  return isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : ''
}
