import { operatorWithoutValue } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { places, select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** A toleration with `Exists` compares only the key. Service §4.4 rule 3. */
export const existsCarriesNoValue: Rule = function* ({ index }) {
  for (const found of select(index, places.tolerations)) {
    const toleration = found.value
    if (isObject(toleration) && toleration['operator'] === operatorWithoutValue && 'value' in toleration)
      yield diagnose('placement/toleration-value', appendSegment(found.pointer, 'value'), {})
  }
}
