import { volumeComponents } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { select } from '../select.js'
import { hasOtherShape } from '../unknown-fields.js'
import type { Rule } from './rule.js'

/** Each of the eight components has exactly one volume. Service §2.4, §8. */
export const everyComponentHasAVolume: Rule = function* ({ index }) {
  for (const { pointer, value: volumes } of select(index, '/spec/volumes')) {
    if (!isObject(volumes) || hasOtherShape(volumes, volumeComponents)) continue
    // A misspelled component is reported as an unknown field.
    const misspelt = findMisspelledFields(volumes, volumeComponents)
    const meant = [...Object.keys(volumes), ...misspelt]
    const missing = volumeComponents.filter(name => !meant.includes(name))
    if (missing.length > 0) yield diagnose('volume/missing-component', pointer, { missing })
  }
}
