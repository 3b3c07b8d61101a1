import { operatorWithoutValue, tolerationFields, tolerationOperators } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { places, select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/**
 * A toleration has the key of its taint: `Equal`, the default operator, requires it, and `Exists` without a key
 * tolerates everything. Service §4.4 rule 3, Kubernetes.
 */
export const tolerationsNameTheirTaint: Rule = function* ({ index }) {
  for (const found of select(index, places.tolerations)) {
    const toleration = found.value
    if (!isObject(toleration)) continue
    const { key = '', operator = 'Equal', effect } = toleration
    const misspelt = findMisspelledFields(toleration, Object.keys(tolerationFields))
    if (key !== '' || misspelt.includes('key') || misspelt.includes('operator')) continue
    const { pointer } = found
    const at = 'key' in toleration ? appendSegment(pointer, 'key') : pointer
    if (operator === operatorWithoutValue)
      yield diagnose('placement/tolerates-everything', at, { effect: readText(effect) })
    else if (tolerationOperators.some(known => known === operator))
      yield diagnose('placement/toleration-key', at, {})
  }
}

function readText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
