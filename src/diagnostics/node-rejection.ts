import { unschedulableTaintKey } from '../contract/kubernetes.js'

interface TaintFacts {
  readonly key: string
  readonly value: string
  readonly effect: string
}

interface FailedExpressionFacts {
  readonly expression: {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[] | undefined
  }
  /** The label of the node; absent where it has no label with this key. */
  readonly found?: string
}

/** One reason why a node does not take upgrade pods. */
export type NodeRejectionFacts =
  | { readonly kind: 'taint'; readonly taint: TaintFacts }
  | {
      readonly kind: 'affinity'
      /** Index of the nearest term. */
      readonly term: number
      readonly terms: number
      readonly failed: readonly FailedExpressionFacts[]
      readonly failedCount: number
    }

/** Describes the reasons as parts of a sentence, the shortest first. The texts are not yet safe to print. */
export function describeRejections(rejections: readonly NodeRejectionFacts[]): readonly string[] {
  return rejections.map(describeRejection).toSorted((a, b) => a.length - b.length)
}

/** Describes one reason as a part of a sentence. */
export function describeRejection(rejection: NodeRejectionFacts): string {
  if (rejection.kind === 'taint') {
    const { taint } = rejection
    const meaning = taint.key === unschedulableTaintKey ? ' (cordoned)' : ''
    return `the taint ${formatTaint(taint)}${meaning} is not tolerated`
  }
  const { term, terms, failed, failedCount } = rejection
  const which = terms > 1 ? `term ${term + 1} of ${terms}: ` : ''
  if (terms === 0) return 'the policy has no terms'
  if (failedCount === 0) return `${which}a term without expressions matches no node`
  const more = failedCount > failed.length ? ` and ${failedCount - failed.length} more` : ''
  return `${which}${failed.map(describeExpression).join(', ')}${more}`
}

/** Formats a taint as `kubectl describe` does. */
export function formatTaint({ key, value, effect }: TaintFacts): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

function describeExpression({
  expression: { key, operator, values = [] },
  found,
}: FailedExpressionFacts): string {
  const expected = values.length === 0 ? '' : ` [${shorten(values)}]`
  return `${key} ${operator}${expected}, but it has ${found === undefined ? `no ${key}` : `${key}=${found}`}`
}

function shorten(values: readonly string[]): string {
  const max = 4
  const rest = values.length - max
  return rest > 0 ? `${values.slice(0, max).join(', ')} and ${rest} more` : values.join(', ')
}
