import { volumeComponents } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** Each of the eight components has exactly one volume. Service §2.4, §8. */
export const everyComponentHasAVolume: Rule = function* ({ index }) {
  for (const { pointer, value: volumes } of select(index, '/spec/volumes')) {
    if (!isObject(volumes)) continue
    // A misspelled component is reported as an unknown field, with the right name as a suggestion.
    const misspelt = findMisspelledFields(volumes, volumeComponents)
    const missing = volumeComponents.filter(name => !(name in volumes) && !misspelt.includes(name))
    if (missing.length > 0) yield diagnose('volume/missing-component', pointer, { missing })
  }
}
