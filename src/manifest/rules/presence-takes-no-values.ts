import { operatorsWithoutValues } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { placesInTerms, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

const patterns = placesInTerms('matchExpressions/*')

/** `Exists` and `DoesNotExist` compare with no values. Service §2.7, Kubernetes. */
export const presenceTakesNoValues: Rule = function* ({ index }) {
  for (const found of selectAll(index, patterns)) {
    const expression = found.value
    if (!isObject(expression)) continue
    const { operator, values } = expression
    if (typeof operator !== 'string' || !operatorsWithoutValues.includes(operator)) continue
    if (Array.isArray(values) && values.length > 0)
      yield diagnose('placement/values-forbidden', appendSegment(found.pointer, 'values'), { operator })
  }
}
