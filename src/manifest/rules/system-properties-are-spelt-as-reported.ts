import { reportedSystemProperties } from '../../contract/field-notes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { child } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { inOtherCase, surelyMeant } from '../did-you-mean.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** No system property is a misspelling of a reported one; all others pass, because the document names none. Service §4.3. */
export const systemPropertiesAreSpeltAsReported: Rule = function* ({ value }) {
  for (const { pointer, value: properties } of select(value, '/spec/systemProperties')) {
    if (!isObject(properties)) continue
    const absent = reportedSystemProperties.filter(name => !(name in properties))
    for (const found of Object.keys(properties)) {
      if (reportedSystemProperties.some(name => name === found)) continue
      const suggestion = surelyMeant(found, absent)
      if (suggestion === undefined) continue
      const otherCase = inOtherCase(found, [suggestion]) !== undefined
      yield diagnose('site/system-property', child(pointer, found), { found, suggestion, otherCase })
    }
  }
}
