import { labelKeyForm, labelValueForm, unschedulableTaintKey } from '../../contract/kubernetes.js'
import { type TaintEffect, taintEffects } from '../../contract/placement.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import {
  type ClusterKind,
  type ClusterListReply,
  type ListFault,
  type PlacedListFault,
  readList,
  readName,
  wrongType,
} from './cluster-list.js'

/** The facts of a node that decide where a pod is placed. */
export interface ClusterNode {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  /** A cordoned node has the taint of one. */
  readonly taints: readonly Taint[]
  /** As the node reports it; only its taints keep pods off. */
  readonly ready: boolean | undefined
}

/** Reads what `kubectl get nodes -o json` prints. An empty list is an error. */
export function readNodes(bytes: Uint8Array): ClusterListReply<ClusterNode> {
  const read = readList(bytes, nodeKind)
  if (!read.ok || read.value.length > 0) return read
  return { ok: false, error: { kind: 'Node', pointer: '', fault: { kind: 'no-nodes' } } }
}

/** Every toleration is compared with every taint. */
const maxTaints = 100
const maxLabels = 1000

const nodeKind: ClusterKind<ClusterNode> = {
  kind: 'Node',
  *faults(node, at) {
    yield* findLabelFaults(node, appendSegment(appendSegment(at, 'metadata'), 'labels'))
    for (const part of ['spec', 'status'])
      if (!isAbsent(node[part]) && !isObject(node[part])) yield [appendSegment(at, part), wrongType('object')]
    const { unschedulable, taints } = readPart(node, 'spec')
    const spec = appendSegment(at, 'spec')
    if (!isAbsent(unschedulable) && typeof unschedulable !== 'boolean')
      yield [appendSegment(spec, 'unschedulable'), wrongType('boolean')]
    yield* findTaintFaults(taints, appendSegment(spec, 'taints'))
    const { conditions } = readPart(node, 'status')
    if (!isAbsent(conditions) && !Array.isArray(conditions))
      yield [appendSegment(appendSegment(at, 'status'), 'conditions'), wrongType('list')]
  },
  pick(node) {
    const { unschedulable, taints } = readPart(node, 'spec')
    const own = listElements(taints).map(readTaint)
    const isMarked = own.some(
      ({ key, value, effect }) => key === cordon.key && value === '' && effect === cordon.effect,
    )
    return {
      name: readName(node),
      labels: new Map(Object.entries(readLabels(node)) as [string, string][]),
      taints: unschedulable === true && !isMarked ? [...own, cordon] : own,
      ready: readReady(node),
    }
  },
}

function* findLabelFaults(node: JsonObject, at: JsonPointer): Generator<PlacedListFault> {
  const { labels } = readPart(node, 'metadata')
  if (isAbsent(labels)) return
  if (!isObject(labels)) return yield [at, wrongType('object')]
  const entries = Object.entries(labels)
  if (entries.length > maxLabels) yield [at, { kind: 'too-many', of: 'labels', limit: maxLabels }]
  for (const [key, value] of entries)
    if (key.length > labelKeyForm.longest || !isLabelValue(value))
      yield [appendSegment(at, key), wrongText('label', labelValueForm.longest)]
}

function* findTaintFaults(taints: JsonValue | undefined, at: JsonPointer): Generator<PlacedListFault> {
  if (isAbsent(taints)) return
  if (!Array.isArray(taints)) return yield [at, wrongType('list')]
  if (taints.length > maxTaints) yield [at, { kind: 'too-many', of: 'taints', limit: maxTaints }]
  for (const [index, taint] of taints.entries()) {
    const { key, value, effect } = isObject(taint) ? taint : {}
    const pointer = appendSegment(at, index)
    if (typeof key !== 'string' || key === '' || key.length > labelKeyForm.longest)
      yield [appendSegment(pointer, 'key'), wrongText('taint-key', labelKeyForm.longest)]
    if (!isAbsent(value) && !isLabelValue(value))
      yield [appendSegment(pointer, 'value'), wrongText('taint-value', labelValueForm.longest)]
    // An unknown effect may do anything.
    if (!taintEffects.some(known => known === effect))
      yield [appendSegment(pointer, 'effect'), { kind: 'wrong-value', expected: taintEffects }]
  }
}

function wrongText(
  is: Extract<ListFault, { readonly kind: 'wrong-text' }>['is'],
  longest: number,
): ListFault {
  return { kind: 'wrong-text', is, longest }
}

function isLabelValue(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.length <= labelValueForm.longest
}

function readTaint(taint: JsonValue): Taint {
  const { key, value, effect } = taint as unknown as {
    key: string
    value?: string | null
    effect: Taint['effect']
  }
  return { key, value: value ?? '', effect }
}

function readReady(node: JsonObject): boolean | undefined {
  const { conditions } = readPart(node, 'status')
  const ready = listElements(conditions).find(one => isObject(one) && one['type'] === 'Ready')
  return isObject(ready) ? ready['status'] === 'True' : undefined
}

function readLabels(node: JsonObject): JsonObject {
  return readPart(readPart(node, 'metadata'), 'labels')
}

function readPart(object: JsonObject, name: string): JsonObject {
  const part = object[name]
  return isObject(part) ? part : {}
}

function listElements(list: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(list) ? list : []
}

/** Treats `null` as absent, since programs write it for absent values. */
function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null
}

/** A mark of a node that keeps pods off; `value` is empty where it has none. */
export interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: TaintEffect
}

export type Toleration = PodPlacementPolicy['tolerations'][number]

/** A cordoned node acts as if it had this taint. Kubernetes, `spec.unschedulable`. */
export const cordon: Taint = { key: unschedulableTaintKey, value: '', effect: 'NoSchedule' }

/** True for a taint that keeps pods off that do not tolerate it; `PreferNoSchedule` does not. Kubernetes. */
export function refusesPods({ effect }: Taint): boolean {
  return effect !== 'PreferNoSchedule'
}

/** True where a toleration matches a taint, as the scheduler decides: an omitted part matches all. Kubernetes. */
export function tolerates(
  { key = '', operator = 'Equal', value = '', effect }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== undefined && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || value === taint.value
}

/**
 * True where a toleration matches a taint as the service document defines it: a key is always required, and an effect
 * with `Equal`. Service §4.4 rule 3.
 */
export function toleratesAsDocumented(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', effect } = toleration
  return key !== '' && (operator === 'Exists' || effect !== undefined) && tolerates(toleration, taint)
}
