import type { AffinityKind } from '../../contract/placement.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'

type NodeSelector = NonNullable<PodPlacementPolicy['nodeAffinity'][AffinityKind]>
type Term = NodeSelector['nodeSelectorTerms'][number]
export type Expression = Term['matchExpressions'][number]
type Labels = ReadonlyMap<string, string>

/** A node that matches none of the terms: the term that it fails in the fewest expressions, and the number of terms. */
export interface Mismatch {
  /** Index of the nearest term. */
  readonly term: number
  readonly terms: number
  /** The first expressions that the node fails; none where the term has none, which no node matches. */
  readonly failed: readonly FailedExpression[]
  readonly failedCount: number
}

export interface FailedExpression {
  readonly index: number
  readonly expression: Expression
  /** The label of the node; absent where it has none of this key. */
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
