import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { taintEffects } from '../../contract/placement.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { type ClusterKind, type Fault, nameIn, type Reading, readList } from './cluster-list.js'
import { cordon, type Taint } from './taint.js'

/** What counts of a node when a pod is placed. */
export interface ClusterNode {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  /** A cordoned node has the taint of one. */
  readonly taints: readonly Taint[]
  /** What the node reports of itself; it refuses by its taints only. */
  readonly ready: boolean | undefined
}

/** Reads what `kubectl get nodes -o json` prints. A list of no nodes is taken for a mistake. */
export function readNodes(bytes: Uint8Array): Reading<ClusterNode> {
  const read = readList(bytes, nodeKind)
  if (!read.ok || read.value.length > 0) return read
  const remedy = 'look whether kubectl is at the right cluster, and may list its nodes'
  return { ok: false, error: { pointer: '', problem: 'lists no node', remedy } }
}

/** A taint stands in a list that every toleration is compared with. */
const mostTaints = 100
const mostLabels = 1000

const nodeKind: ClusterKind<ClusterNode> = {
  kind: 'Node',
  plural: 'nodes',
  *faults(node, at) {
    yield* labelFaults(node, child(child(at, 'metadata'), 'labels'))
    for (const part of ['spec', 'status'])
      if (!isAbsent(node[part]) && !isObject(node[part])) yield [child(at, part), 'is no object']
    const { unschedulable, taints } = partOf(node, 'spec')
    const spec = child(at, 'spec')
    if (!isAbsent(unschedulable) && typeof unschedulable !== 'boolean')
      yield [child(spec, 'unschedulable'), 'is neither true nor false']
    yield* taintFaults(taints, child(spec, 'taints'))
    const { conditions } = partOf(node, 'status')
    if (!isAbsent(conditions) && !Array.isArray(conditions))
      yield [child(child(at, 'status'), 'conditions'), 'is no list']
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
  if (!isObject(labels)) return yield [at, 'is no object']
  const entries = Object.entries(labels)
  if (entries.length > mostLabels) yield [at, `has more than ${mostLabels} labels`]
  for (const [key, value] of entries)
    if (key.length > labelKeyForm.longest || !isLabelValue(value)) yield [child(at, key), 'is no label']
}

function* taintFaults(taints: JsonValue | undefined, at: JsonPointer): Generator<Fault> {
  if (isAbsent(taints)) return
  if (!Array.isArray(taints)) return yield [at, 'is no list']
  if (taints.length > mostTaints) yield [at, `has more than ${mostTaints} taints`]
  for (const [index, taint] of taints.entries()) {
    const { key, value, effect } = isObject(taint) ? taint : {}
    const pointer = child(at, index)
    if (typeof key !== 'string' || key === '' || key.length > labelKeyForm.longest)
      yield [child(pointer, 'key'), 'is no key of a taint']
    if (!isAbsent(value) && !isLabelValue(value)) yield [child(pointer, 'value'), 'is no value of a taint']
    // What an effect does that is not known here, nobody can say.
    if (!taintEffects.some(known => known === effect))
      yield [child(pointer, 'effect'), `is none of ${taintEffects.join(', ')}`]
  }
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
