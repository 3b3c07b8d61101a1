import { relationalComponents, smallestSizes } from '../../contract/field-notes.js'
import { compareQuantities } from '../../contract/kubernetes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { Rule } from './rule.js'
import { findVolumeSizes, type VolumeSize } from './sizes-are-not-small.js'

/** Both relational volumes have the same size; public sources report one setting for both. */
export const relationalSizesAgree: Rule = function* ({ index }) {
  const [primary, secondary] = relationalComponents.map(name =>
    findVolumeSizes(index).find(one => one.component === name && isLargeEnough(one)),
  )
  if (primary === undefined || secondary === undefined) return
  if (compareQuantities(primary.size, secondary.size) !== 0)
    yield diagnose('volume/relational-sizes-differ', secondary.at.pointer, {
      primary: primary.size,
      secondary: secondary.size,
    })
}

/** True for a size that no other rule reports as invalid or too small. */
function isLargeEnough({ component, size }: VolumeSize): boolean {
  const compared = compareQuantities(size, smallestSizes[component])
  return compared === 0 || compared === 1
}
