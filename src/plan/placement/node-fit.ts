import { demand, preference } from '../../contract/placement.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import { countFailures, findMismatch, type Mismatch } from './affinity.js'
import type { ClusterNode } from './nodes.js'
import { refusesPods, type Taint, tolerates, toleratesAsDocumented } from './taint.js'

/** One reason why a node does not take upgrade pods. */
export type NodeRejection =
  | { readonly kind: 'taint'; readonly taint: Taint }
  | ({ readonly kind: 'affinity' } & Mismatch)

/** A taint that Kubernetes tolerates and the service document does not. */
export interface WiderToleration {
  /** Index of the toleration. */
  readonly toleration: number
  readonly taint: Taint
}

/** The decision of the scheduler about one node, with its reasons. */
export interface NodeFit {
  readonly node: string
  readonly ready: boolean | undefined
  /** Taints first; none where the node takes upgrade pods. */
  readonly rejections: readonly NodeRejection[]
  readonly wider: readonly WiderToleration[]
  /** True for a node that the policy prefers; absent where it prefers none. */
  readonly preferred?: boolean
}

/**
 * Decides whether a pod with the policy may be placed on the node, as the scheduler of Kubernetes does.
 * Service §4.4 rules 2, 3.
 */
export function evaluateNode({ nodeAffinity, tolerations }: PodPlacementPolicy, node: ClusterNode): NodeFit {
  const required = nodeAffinity[demand]
  const preferred = nodeAffinity[preference]
  const mismatch = required === undefined ? undefined : findMismatch(required, node.labels)
  const met = node.taints.filter(refusesPods).map(taint => ({
    taint,
    toleration: tolerations.findIndex(one => tolerates(one, taint)),
  }))
  const wider = met.filter(
    ({ taint, toleration }) => toleration >= 0 && !tolerations.some(one => toleratesAsDocumented(one, taint)),
  )
  const rejections: readonly NodeRejection[] = [
    ...met.flatMap(({ taint, toleration }) => (toleration < 0 ? [{ kind: 'taint' as const, taint }] : [])),
    ...(mismatch === undefined ? [] : [{ kind: 'affinity' as const, ...mismatch }]),
  ]
  return {
    node: node.name,
    ready: node.ready,
    rejections,
    wider,
    ...(preferred !== undefined && { preferred: findMismatch(preferred, node.labels) === undefined }),
  }
}

/** Counts the changes that a node needs before it takes the pods. */
export function countRequiredChanges({ rejections }: NodeFit): number {
  return rejections.reduce((sum, rejection) => sum + countRejection(rejection), 0)
}

function countRejection(rejection: NodeRejection): number {
  return rejection.kind === 'taint' ? 1 : countFailures(rejection)
}
