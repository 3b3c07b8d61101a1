import { preference } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { places, select } from '../../schema/select.js'
import type { Rule } from './rule.js'

const pattern = `${places.nodeAffinity}/${preference}`

/**
 * A preference has two forms: the service document shows one, and Kubernetes takes only the other. Which one the service
 * takes is not documented. Service §2.7, Kubernetes.
 */
export const preferencesMayBeRejected: Rule = function* ({ index }) {
  for (const { pointer, value } of select(index, pattern)) {
    if (isObject(value) && 'nodeSelectorTerms' in value)
      yield diagnose('placement/preferred-shape', pointer, { form: 'document' })
    if (Array.isArray(value)) yield diagnose('placement/preferred-shape', pointer, { form: 'kubernetes' })
  }
}
