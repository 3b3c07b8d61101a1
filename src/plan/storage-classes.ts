import {
  bindingOfFirstConsumer,
  deletingPolicy,
  fileShareProvisioner,
  noProvisioner,
} from '../contract/kubernetes.js'
import { documentedProvisioningType, type VolumeComponent, volumeComponents } from '../contract/volumes.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'

/** The properties of a storage class that decide how volumes are made, with the defaults of Kubernetes filled in. */
export interface StorageClass {
  readonly name: string
  readonly provisioner: string
  readonly allowVolumeExpansion: boolean
  readonly volumeBindingMode: string
  readonly reclaimPolicy: string
}

/** A fault of the list that `kubectl` printed, as a kind with facts. */
export type ListFault =
  | { readonly kind: 'too-large'; readonly limitBytes: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-json' }
  | { readonly kind: 'duplicate-name' }
  | {
      readonly kind: 'wrong-type'
      readonly expected: 'list' | 'object' | 'list-or-object' | 'boolean'
    }
  | { readonly kind: 'wrong-kind'; readonly expected: readonly string[] }
  /** Not a text of the required form, or longer than allowed. */
  | { readonly kind: 'wrong-text'; readonly is: 'name' | 'word'; readonly longest: number }
  | { readonly kind: 'too-many'; readonly limit: number }

/** The first fault of a list, and its place in the JSON. */
interface PlacedListFault {
  readonly pointer: JsonPointer
  readonly fault: ListFault
}

type StorageClassesReply = Result<readonly StorageClass[], PlacedListFault>

/** Limits on the output of a cluster, far above those that Kubernetes supports. */
export const listCaps = { bytes: 64 * 1024 * 1024, classes: 20_000, text: 253 } as const

const kind = 'StorageClass'
const defaults = { volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' } as const

/**
 * Reads the output of `kubectl get storageclasses -o json`: a list, its items alone, or one class. Never throws. Rejects the
 * whole list if a single class is invalid: otherwise that class would be reported as missing.
 */
export function readStorageClasses(bytes: Uint8Array): StorageClassesReply {
  const parsed = parseJsonBytes(bytes)
  if (!parsed.ok) return parsed
  const listed = findItems(parsed.value)
  if (!listed.ok) return listed
  const { items, at } = listed.value
  if (items.length > listCaps.classes) return reject(at, { kind: 'too-many', limit: listCaps.classes })
  const read = new Map<string, StorageClass>()
  for (const [index, item] of items.entries()) {
    const pointer = Array.isArray(parsed.value) || at !== '' ? appendSegment(at, index) : at
    const one = readStorageClass(item, pointer)
    if (!one.ok) return one
    if (read.has(one.value.name))
      return reject(appendSegment(appendSegment(pointer, 'metadata'), 'name'), { kind: 'duplicate-name' })
    read.set(one.value.name, one.value)
  }
  return { ok: true, value: [...read.values()] }
}

function reject(pointer: JsonPointer, fault: ListFault): Result<never, PlacedListFault> {
  return { ok: false, error: { pointer, fault } }
}

/** Parses the JSON. Leaves out the parser's message, because it quotes the text. */
function parseJsonBytes(bytes: Uint8Array): Result<unknown, PlacedListFault> {
  if (bytes.byteLength > listCaps.bytes) return reject('', { kind: 'too-large', limitBytes: listCaps.bytes })
  if (bytes.byteLength === 0) return reject('', { kind: 'empty' })
  try {
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch {
    return reject('', { kind: 'not-json' })
  }
}

type ItemsReply = Result<{ readonly items: readonly unknown[]; readonly at: JsonPointer }, PlacedListFault>

function findItems(value: unknown): ItemsReply {
  if (Array.isArray(value)) return { ok: true, value: { items: value, at: '' } }
  if (!isObject(value)) return reject('', { kind: 'wrong-type', expected: 'list-or-object' })
  if (value['kind'] === kind) return { ok: true, value: { items: [value], at: '' } }
  if (value['kind'] !== 'List' && value['kind'] !== `${kind}List`)
    return reject('/kind', { kind: 'wrong-kind', expected: ['List', kind] })
  const { items } = value
  if (!Array.isArray(items)) return reject('/items', { kind: 'wrong-type', expected: 'list' })
  return { ok: true, value: { items, at: '/items' } }
}

function readStorageClass(item: unknown, at: JsonPointer): Result<StorageClass, PlacedListFault> {
  const isText = (text: unknown): text is string => typeof text === 'string' && text.length <= listCaps.text
  const wrongText = (pointer: JsonPointer, is: 'name' | 'word') =>
    reject(pointer, { kind: 'wrong-text', is, longest: listCaps.text })
  if (!isObject(item)) return reject(at, { kind: 'wrong-type', expected: 'object' })
  // The items of a raw response of the API server do not repeat their kind.
  if (item['kind'] !== undefined && item['kind'] !== kind)
    return reject(appendSegment(at, 'kind'), { kind: 'wrong-kind', expected: [kind] })
  const { metadata } = item
  if (!isObject(metadata))
    return reject(appendSegment(at, 'metadata'), { kind: 'wrong-type', expected: 'object' })
  const { name } = metadata
  if (!isText(name) || name === '')
    return wrongText(appendSegment(appendSegment(at, 'metadata'), 'name'), 'name')
  const { provisioner, allowVolumeExpansion, volumeBindingMode, reclaimPolicy } = withDefaults(item)
  if (!isText(provisioner)) return wrongText(appendSegment(at, 'provisioner'), 'word')
  if (typeof allowVolumeExpansion !== 'boolean')
    return reject(appendSegment(at, 'allowVolumeExpansion'), { kind: 'wrong-type', expected: 'boolean' })
  if (!isText(volumeBindingMode)) return wrongText(appendSegment(at, 'volumeBindingMode'), 'word')
  if (!isText(reclaimPolicy)) return wrongText(appendSegment(at, 'reclaimPolicy'), 'word')
  return { ok: true, value: { name, provisioner, allowVolumeExpansion, volumeBindingMode, reclaimPolicy } }
}

/** Fills in the defaults, also for `null`, which some programs write for absent values. */
function withDefaults(item: JsonObject) {
  return {
    provisioner: item['provisioner'] ?? '',
    allowVolumeExpansion: item['allowVolumeExpansion'] ?? false,
    volumeBindingMode: item['volumeBindingMode'] ?? defaults.volumeBindingMode,
    reclaimPolicy: item['reclaimPolicy'] ?? defaults.reclaimPolicy,
  }
}

/** A property of a class that does not work for the volumes, or that public sources advise against. */
export type StorageFault = keyof typeof codes

/** One storage class that the manifest names, as the cluster has it. */
export interface NamedClass {
  readonly name: string
  /** The volumes that use it. */
  readonly components: readonly [VolumeComponent, ...VolumeComponent[]]
  /** Absent if the cluster has no such class. */
  readonly found?: StorageClass
  readonly faults: readonly StorageFault[]
}

/** The storage classes that the volumes of a manifest use, as the cluster has them; not part of the plan. */
export interface StoragePreview {
  readonly classes: readonly NamedClass[]
  /** The names of all classes in the cluster. */
  readonly available: readonly string[]
  /** Volumes that are not made from a storage class. */
  readonly others: readonly VolumeComponent[]
}

/** Finds the class of every volume that is made from one; nothing is known about the others. */
export function previewStorage(
  { organization: { volumes } }: Manifest,
  available: readonly StorageClass[],
): StoragePreview {
  const named = new Map<string, [VolumeComponent, ...VolumeComponent[]]>()
  const others: VolumeComponent[] = []
  for (const component of volumeComponents) {
    const { provisioningType = documentedProvisioningType, storageClass } = volumes[component]
    if (provisioningType !== documentedProvisioningType || storageClass === undefined) {
      others.push(component)
      continue
    }
    const users = named.get(storageClass)
    if (users === undefined) named.set(storageClass, [component])
    else users.push(component)
  }
  const classes = [...named].map(([name, components]) => {
    const found = available.find(one => one.name === name)
    return { name, components, ...(found !== undefined && { found }), faults: findFaults(found, components) }
  })
  return { classes, available: available.map(({ name }) => name), others }
}

function findFaults(
  found: StorageClass | undefined,
  components: readonly VolumeComponent[],
): readonly StorageFault[] {
  if (found === undefined) return []
  const { provisioner, allowVolumeExpansion, volumeBindingMode, reclaimPolicy } = found
  if (provisioner === noProvisioner) return ['no-provisioner']
  // A file share grows by itself, and every node can reach it.
  const isShare = fileShareProvisioner.test(provisioner)
  const faults: readonly (readonly [boolean, StorageFault])[] = [
    [isShare && components.some(holdsDatabase), 'file-share'],
    [!isShare && !allowVolumeExpansion, 'cannot-expand'],
    [!isShare && volumeBindingMode !== bindingOfFirstConsumer, 'binds-at-once'],
    [reclaimPolicy !== deletingPolicy, 'keeps-volumes'],
  ]
  return faults.filter(([is]) => is).map(([, fault]) => fault)
}

/** Tests for a volume with the files of a database, a queue or an index; the only other volume holds packages of items. */
function holdsDatabase(component: VolumeComponent): boolean {
  return component !== 'SHARING'
}

/**
 * Checks the storage classes of a manifest before its site is created. A missing class is reported once, at the first volume
 * that names it. Sources: Kubernetes, and public reports.
 */
export function storageDiagnostics(
  manifest: Manifest,
  { classes, available }: StoragePreview,
): readonly Diagnostic[] {
  return classes.flatMap(one => diagnoseClass(one, available)).map(one => addPlace(manifest, one))
}

function diagnoseClass(
  { name, components, found, faults }: NamedClass,
  available: readonly string[],
): readonly Diagnostic[] {
  const at = `/spec/volumes/${components[0]}/storageClass` as const
  if (found === undefined) {
    const suggestion = findSimilar(name, available)
    return [diagnose('volume/no-such-storage-class', at, { name, components, suggestion, available })]
  }
  const { provisioner, volumeBindingMode: mode, reclaimPolicy: policy } = found
  const databases = components.filter(holdsDatabase)
  const facts = { name, components, provisioner, databases, mode, policy }
  return faults.map(fault => diagnose(codes[fault], at, facts))
}

const codes = {
  'no-provisioner': 'volume/class-provisions-nothing',
  'file-share': 'volume/class-of-file-shares',
  'cannot-expand': 'volume/class-cannot-expand',
  'binds-at-once': 'volume/class-binds-at-once',
  'keeps-volumes': 'volume/class-keeps-volumes',
} as const
