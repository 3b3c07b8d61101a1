import type { FailedExpression } from './affinity.js'
import type { NodeVerdict, Refusal } from './node-verdict.js'
import { cordon, taintText } from './taint.js'

/** The reasons why a node refuses, as parts of a sentence, the shortest first. The texts are not yet safe to print. */
export function reasonsOf({ refusals }: NodeVerdict): readonly string[] {
  return refusals.map(reasonOf).toSorted((a, b) => a.length - b.length)
}

/** One reason, as a part of a sentence. */
export function reasonOf(refusal: Refusal): string {
  if (refusal.kind === 'taint') {
    const { taint } = refusal
    const meaning = taint.key === cordon.key ? ' (cordoned)' : ''
    return `the taint ${taintText(taint)}${meaning} is not tolerated`
  }
  const { term, terms, failed, failedCount } = refusal
  const which = terms > 1 ? `term ${term + 1} of ${terms}: ` : ''
  if (terms === 0) return 'no term is there to match'
  if (failedCount === 0) return `${which}a term without expressions matches no node`
  const more = failedCount > failed.length ? ` and ${failedCount - failed.length} more` : ''
  return `${which}${failed.map(failureOf).join(', ')}${more}`
}

function failureOf({ expression: { key, operator, values = [] }, found }: FailedExpression): string {
  const wanted = values.length === 0 ? '' : ` [${shortened(values)}]`
  return `${key} ${operator}${wanted}, but it has ${found === undefined ? `no ${key}` : `${key}=${found}`}`
}

function shortened(values: readonly string[]): string {
  const most = 4
  const rest = values.length - most
  return rest > 0 ? `${values.slice(0, most).join(', ')} and ${rest} more` : values.join(', ')
}
