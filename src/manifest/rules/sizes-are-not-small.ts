import { smallestSizes } from '../../contract/field-notes.js'
import { compareQuantities } from '../../contract/quantity.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { volumeSizes } from '../places.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** No volume is smaller than the smallest size that public sources report for its component. */
export const sizesAreNotSmall: Rule = function* ({ value }) {
  for (const { component, pattern } of volumeSizes)
    for (const found of select(value, pattern)) {
      const size = found.value
      const smallest = smallestSizes[component]
      // Another rule reports an empty size.
      if (typeof size !== 'string' || compareQuantities(size, '0Gi') !== 1) continue
      if (compareQuantities(size, smallest) === -1)
        yield diagnose('volume/size-small', found.pointer, { component, size, smallest })
    }
}
