import { tolerationFields } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { isObject } from '../../schema/json-schema.js'
import { places, select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** With `Equal` the effect counts too; without one Kubernetes tolerates all. Service §4.4 rule 3, Kubernetes. */
export const equalComparesAnEffect: Rule = function* ({ index }) {
  for (const found of select(index, places.tolerations)) {
    const toleration = found.value
    if (!isObject(toleration) || 'effect' in toleration) continue
    const { key = '', operator = 'Equal' } = toleration
    const misspelt = findMisspelledFields(toleration, Object.keys(tolerationFields))
    if (key === '' || operator !== 'Equal' || misspelt.includes('effect') || misspelt.includes('operator'))
      continue
    yield diagnose('placement/toleration-effect', found.pointer, {})
  }
}
