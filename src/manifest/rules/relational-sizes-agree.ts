import { relationalComponents, smallestSizes } from '../../contract/field-notes.js'
import { compareQuantities } from '../../contract/quantity.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { volumeSizes } from '../places.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

const relational = volumeSizes.filter(({ component }) => relationalComponents.some(one => one === component))

/** Both relational volumes have the same size; public sources report one setting for both. */
export const relationalSizesAgree: Rule = function* ({ value }) {
  const [primary, secondary] = relational.flatMap(({ component, pattern }) =>
    select(value, pattern).filter(({ value: size }) => isLargeEnough(size, smallestSizes[component])),
  )
  if (primary === undefined || secondary === undefined) return
  const facts = { primary: String(primary.value), secondary: String(secondary.value) }
  if (compareQuantities(facts.primary, facts.secondary) !== 0)
    yield diagnose('volume/relational-sizes-differ', secondary.pointer, facts)
}

/** True for a size that no other rule reports as invalid or too small. */
function isLargeEnough(size: JsonValue, smallest: string): boolean {
  const compared = typeof size === 'string' ? compareQuantities(size, smallest) : undefined
  return compared === 0 || compared === 1
}
