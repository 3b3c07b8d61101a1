import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { taintEffects } from '../../contract/placement.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import {
  type ClusterKind,
  type Fault,
  type ListFault,
  nameIn,
  type Reading,
  readList,
  wrongType,
} from './cluster-list.js'
import { cordon, type Taint } from './taint.js'

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
export function readNodes(bytes: Uint8Array): Reading<ClusterNode> {
  const read = readList(bytes, nodeKind)
  if (!read.ok || read.value.length > 0) return read
  return { ok: false, error: { kind: 'Node', pointer: '', fault: { kind: 'no-nodes' } } }
}

/** Every toleration is compared with every taint. */
const mostTaints = 100
const mostLabels = 1000

const nodeKind: ClusterKind<ClusterNode> = {
  kind: 'Node',
  *faults(node, at) {
    yield* labelFaults(node, child(child(at, 'metadata'), 'labels'))
    for (const part of ['spec', 'status'])
      if (!isAbsent(node[part]) && !isObject(node[part])) yield [child(at, part), wrongType('object')]
    const { unschedulable, taints } = partOf(node, 'spec')
    const spec = child(at, 'spec')
    if (!isAbsent(unschedulable) && typeof unschedulable !== 'boolean')
      yield [child(spec, 'unschedulable'), wrongType('boolean')]
    yield* taintFaults(taints, child(spec, 'taints'))
    const { conditions } = partOf(node, 'status')
    if (!isAbsent(conditions) && !Array.isArray(conditions))
      yield [child(child(at, 'status'), 'conditions'), wrongType('list')]
  },
  kept(node) {
    const { unschedulable, taints } = partOf(node, 'spec')
    const own = elementsOf(taints).map(taintIn)
    const isMarked = own.some(
      ({ key, value, effect }) => key === cordon.key && value === '' && effect === cordon.effect,
    )
    return {
      name: nameIn(node),
      labels: new Map(Object.entries(labelsOf(node)) as [string, string][]),
      taints: unschedulable === true && !isMarked ? [...own, cordon] : own,
      ready: readyIn(node),
    }
  },
}

function* labelFaults(node: JsonObject, at: JsonPointer): Generator<Fault> {
  const { labels } = partOf(node, 'metadata')
  if (isAbsent(labels)) return
  if (!isObject(labels)) return yield [at, wrongType('object')]
  const entries = Object.entries(labels)
  if (entries.length > mostLabels) yield [at, { kind: 'too-many', of: 'labels', limit: mostLabels }]
  for (const [key, value] of entries)
    if (key.length > labelKeyForm.longest || !isLabelValue(value))
      yield [child(at, key), wrongText('label', labelValueForm.longest)]
}

function* taintFaults(taints: JsonValue | undefined, at: JsonPointer): Generator<Fault> {
  if (isAbsent(taints)) return
  if (!Array.isArray(taints)) return yield [at, wrongType('list')]
  if (taints.length > mostTaints) yield [at, { kind: 'too-many', of: 'taints', limit: mostTaints }]
  for (const [index, taint] of taints.entries()) {
    const { key, value, effect } = isObject(taint) ? taint : {}
    const pointer = child(at, index)
    if (typeof key !== 'string' || key === '' || key.length > labelKeyForm.longest)
      yield [child(pointer, 'key'), wrongText('taint-key', labelKeyForm.longest)]
    if (!isAbsent(value) && !isLabelValue(value))
      yield [child(pointer, 'value'), wrongText('taint-value', labelValueForm.longest)]
    // An unknown effect may do anything.
    if (!taintEffects.some(known => known === effect))
      yield [child(pointer, 'effect'), { kind: 'wrong-value', expected: taintEffects }]
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

function taintIn(taint: JsonValue): Taint {
  const { key, value, effect } = taint as unknown as {
    key: string
    value?: string | null
    effect: Taint['effect']
  }
  return { key, value: value ?? '', effect }
}

function readyIn(node: JsonObject): boolean | undefined {
  const { conditions } = partOf(node, 'status')
  const ready = elementsOf(conditions).find(one => isObject(one) && one['type'] === 'Ready')
  return isObject(ready) ? ready['status'] === 'True' : undefined
}

function labelsOf(node: JsonObject): JsonObject {
  return partOf(partOf(node, 'metadata'), 'labels')
}

function partOf(object: JsonObject, name: string): JsonObject {
  const part = object[name]
  return isObject(part) ? part : {}
}

function elementsOf(list: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(list) ? list : []
}

/** Programs write `null` for what is not there. */
function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null
}
