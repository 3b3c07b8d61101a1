import { hasForm, labelValueForm } from '../../contract/kubernetes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { readLastSegment, readParent } from '../../diagnostics/pointer.js'
import { longestText } from '../../schema/fields.js'
import { places, placesInTerms, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

const patterns = [
  `${places.manifestLabels}/*`,
  `${places.volumeLabels}/*`,
  ...placesInTerms('matchExpressions/*/values/*'),
  `${places.tolerations}/value`,
]

/** Values of labels and taints are valid in Kubernetes. Service §2.4, §2.7, Kubernetes. */
export const labelValuesHaveTheirForm: Rule = function* ({ index }) {
  for (const found of selectAll(index, patterns)) {
    const { value } = found
    // The schema reports text that is too long.
    if (typeof value !== 'string' || value.length > longestText || hasForm(value, labelValueForm)) continue
    const { pointer } = found
    const inList = readLastSegment(readParent(pointer)) === 'values'
    const field = readLastSegment(inList ? readParent(pointer) : pointer)
    yield diagnose('kubernetes/label-value', pointer, { field })
  }
}
