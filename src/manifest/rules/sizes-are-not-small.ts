import { smallestSizes } from '../../contract/field-notes.js'
import { compareQuantities } from '../../contract/quantity.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { Rule } from './rule.js'
import { findVolumeSizes } from './volume-sizes.js'

/** No volume is smaller than the smallest size that public sources report for its component. */
export const sizesAreNotSmall: Rule = function* ({ index }) {
  for (const { at, component, size } of findVolumeSizes(index)) {
    const smallest = smallestSizes[component]
    // Another rule reports an empty size.
    if (compareQuantities(size, smallest) === -1 && compareQuantities(size, '0Gi') === 1)
      yield diagnose('volume/size-small', at.pointer, { component, size, smallest })
  }
}
