import { demand } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { places, select } from '../../schema/select.js'
import type { Rule } from './rule.js'

const pattern = `${places.nodeAffinity}/${demand}/nodeSelectorTerms`

/** A demand on nodes has at least one term. Service §2.7, Kubernetes. */
export const demandsHaveTerms: Rule = function* ({ index }) {
  for (const { pointer, value: terms } of select(index, pattern))
    if (Array.isArray(terms) && terms.length === 0) yield diagnose('placement/no-terms', pointer, {})
}
