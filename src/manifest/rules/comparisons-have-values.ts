import { matchExpressionFields, operatorsWithValues } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { placesInTerms, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

const patterns = placesInTerms('matchExpressions/*')

/** `In` and `NotIn` compare with at least one value. Service §2.7, §4.4 rule 2, Kubernetes. */
export const comparisonsHaveValues: Rule = function* ({ index }) {
  for (const found of selectAll(index, patterns)) {
    const expression = found.value
    if (!isObject(expression) || typeof expression['operator'] !== 'string') continue
    const { operator, values = [] } = expression
    if (!operatorsWithValues.includes(operator as string)) continue
    if (!Array.isArray(values) || values.length > 0) continue
    if (findMisspelledFields(expression, Object.keys(matchExpressionFields)).includes('values')) continue
    const at = appendSegment(found.pointer, 'values' in expression ? 'values' : 'operator')
    yield diagnose('placement/values-required', at, { operator: operator as string })
  }
}
