import { volumesWrapper } from '../../contract/field-row.js'
import { volumeComponents } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { listGroupComponents } from '../other-notations.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** Each of the eight components has exactly one volume. Service §2.4, §8. */
export const everyComponentHasAVolume: Rule = function* ({ index }) {
  for (const { pointer, value: volumes } of select(index, '/spec/volumes')) {
    if (!isObject(volumes) || volumesWrapper in volumes) continue
    // A misspelled component is reported as an unknown field, and a group of the vendor's chart with its translation.
    const misspelt = findMisspelledFields(volumes, volumeComponents)
    const groups = Object.keys(volumes).flatMap(listGroupComponents)
    const meant = [...Object.keys(volumes), ...misspelt, ...groups]
    const missing = volumeComponents.filter(name => !meant.includes(name))
    if (missing.length > 0) yield diagnose('volume/missing-component', pointer, { missing })
  }
}
