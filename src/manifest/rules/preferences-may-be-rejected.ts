import { preference } from '../../contract/placement.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

const pattern = `${places.nodeAffinity}/${preference}`

/** The form that the service document gives a preference is not valid in Kubernetes. Service §2.7, Kubernetes. */
export const preferencesMayBeRejected: Rule = function* ({ index }) {
  for (const { pointer, value: selector } of select(index, pattern))
    if (isObject(selector) && 'nodeSelectorTerms' in selector)
      yield diagnose('placement/preferred-shape', pointer, {})
}
