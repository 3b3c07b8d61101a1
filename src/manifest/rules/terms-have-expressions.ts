import { diagnose } from '../../diagnostics/diagnostic.js'
import { placesInTerms, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

const patterns = placesInTerms('matchExpressions')

/** A term without expressions matches no node at all. Service §2.7, Kubernetes. */
export const termsHaveExpressions: Rule = function* ({ index }) {
  for (const { pointer, value: expressions } of selectAll(index, patterns))
    if (Array.isArray(expressions) && expressions.length === 0)
      yield diagnose('placement/empty-term', pointer, {})
}
