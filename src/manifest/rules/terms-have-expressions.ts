import { diagnose } from '../../diagnostics/diagnostic.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

const pattern = `${places.terms}/matchExpressions`

/** A term without expressions matches no node at all. Service §2.7, Kubernetes. */
export const termsHaveExpressions: Rule = function* ({ index }) {
  for (const { pointer, value: expressions } of select(index, pattern))
    if (Array.isArray(expressions) && expressions.length === 0)
      yield diagnose('placement/empty-term', pointer, {})
}
