import { demand, preference } from '../../contract/placement.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import { type ClusterNode, refusesPods, type Taint, tolerates, toleratesAsDocumented } from './nodes.js'

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
    ...(preferred !== undefined && {
      preferred: findMismatch(selectPreferred(preferred), node.labels) === undefined,
    }),
  }
}

/** Selects the nodes that a preference prefers, however much. */
function selectPreferred(preferred: Preferred): NodeSelector {
  return 'nodeSelectorTerms' in preferred
    ? preferred
    : { nodeSelectorTerms: preferred.map(({ preference: term }) => term) }
}

/** Counts the changes that a node needs before it takes the pods. */
export function countRequiredChanges({ rejections }: NodeFit): number {
  return rejections.reduce((sum, rejection) => sum + countRejection(rejection), 0)
}

function countRejection(rejection: NodeRejection): number {
  return rejection.kind === 'taint' ? 1 : countFailures(rejection)
}

type NodeSelector = NonNullable<PodPlacementPolicy['nodeAffinity'][typeof demand]>
type Preferred = NonNullable<PodPlacementPolicy['nodeAffinity'][typeof preference]>
type Term = NodeSelector['nodeSelectorTerms'][number]
export type Expression = Term['matchExpressions'][number]
type Labels = ReadonlyMap<string, string>

/** A node that matches none of the terms: the term that it fails in the fewest expressions, and the number of terms. */
export interface Mismatch {
  /** Index of the nearest term. */
  readonly term: number
  readonly terms: number
  /** The first expressions that the node fails; empty for a term without expressions, which no node matches. */
  readonly failed: readonly FailedExpression[]
  readonly failedCount: number
}

export interface FailedExpression {
  readonly index: number
  readonly expression: Expression
  /** The label of the node; absent where it has no label with this key. */
  readonly found?: string
}

/** The most expressions that are reported: more do not help a reader, and every node may fail as many. */
const maxFailedExpressions = 5

/**
 * Finds the nearest mismatch; `undefined` where one of the terms matches. A term without expressions matches no node.
 * Kubernetes, Service §4.4 rule 2.
 */
export function findMismatch(
  { nodeSelectorTerms: terms }: NodeSelector,
  labels: Labels,
): Mismatch | undefined {
  const nothing: Mismatch = { term: 0, terms: terms.length, failed: [], failedCount: 0 }
  let nearest: Mismatch | undefined
  for (const [term, { matchExpressions }] of terms.entries()) {
    const reported = { ...nothing, term, ...listFailedExpressions(matchExpressions, labels) }
    if (reported.failedCount === 0 && matchExpressions.length > 0) return undefined
    if (nearest === undefined || countFailures(reported) < countFailures(nearest)) nearest = reported
  }
  return nearest ?? nothing
}

/** Keeps the first failed expressions and counts the others: thousands of nodes may fail thousands each. */
function listFailedExpressions(
  expressions: readonly Expression[],
  labels: Labels,
): Pick<Mismatch, 'failed' | 'failedCount'> {
  const failed: FailedExpression[] = []
  let failedCount = 0
  for (const [index, expression] of expressions.entries()) {
    if (matches(expression, labels)) continue
    failedCount += 1
    if (failed.length < maxFailedExpressions)
      failed.push({ index, expression, ...findLabel(labels, expression) })
  }
  return { failed, failedCount }
}

/** Counts the expressions that must change before the node matches; a term that matches nothing is farthest. */
export function countFailures({ failedCount }: Mismatch): number {
  return failedCount === 0 ? Number.MAX_SAFE_INTEGER : failedCount
}

/** `NotIn` and `DoesNotExist` match where the label is absent. Kubernetes. */
function matches({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const label = labels.get(key)
  switch (operator) {
    case 'In':
      return label !== undefined && values.includes(label)
    case 'NotIn':
      return label === undefined || !values.includes(label)
    case 'Exists':
      return label !== undefined
    case 'DoesNotExist':
      return label === undefined
    default:
      return operator satisfies never
  }
}

function findLabel(labels: Labels, { key }: Expression): { readonly found?: string } {
  const found = labels.get(key)
  return found === undefined ? {} : { found }
}

/** The nodes of a cluster evaluated against a placement policy; not part of the plan. */
export interface PlacementPreview {
  /** `none`: the manifest has no policy, and the policy of the site stays. */
  readonly policy: 'none' | 'without-demand' | 'with-demand'
  /** In the order of the list that was read. */
  readonly fits: readonly NodeFit[]
}

/** Evaluates every node. Without a policy nothing is demanded, and nothing tolerated. */
export function previewPlacement(
  policy: PodPlacementPolicy | undefined,
  nodes: readonly ClusterNode[],
): PlacementPreview {
  const asked = policy ?? { nodeAffinity: {}, tolerations: [] }
  return {
    policy: policy === undefined ? 'none' : demand in asked.nodeAffinity ? 'with-demand' : 'without-demand',
    fits: nodes.map(node => evaluateNode(asked, node)),
  }
}

/** Lists the nodes that take upgrade pods. */
export function listTakingNodes({ fits }: PlacementPreview): readonly NodeFit[] {
  return fits.filter(({ rejections }) => rejections.length === 0)
}

/** Lists the nodes that do not take upgrade pods; those that need the fewest changes come first. */
export function listRejectingNodes({ fits }: PlacementPreview): readonly NodeFit[] {
  return fits
    .filter(({ rejections }) => rejections.length > 0)
    .toSorted((a, b) => countRequiredChanges(a) - countRequiredChanges(b))
}
