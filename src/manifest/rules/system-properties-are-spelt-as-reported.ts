import { reportedSystemProperties } from '../../contract/field-notes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findCertainMatch, findInOtherCase } from '../../diagnostics/did-you-mean.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** No system property is a misspelling of a reported one; all others pass, because the document names none. Service §4.3. */
export const systemPropertiesAreSpeltAsReported: Rule = function* ({ index }) {
  for (const { pointer, value: properties } of select(index, '/spec/systemProperties')) {
    if (!isObject(properties)) continue
    const absent = reportedSystemProperties.filter(name => !(name in properties))
    for (const found of Object.keys(properties)) {
      if (reportedSystemProperties.some(name => name === found)) continue
      const suggestion = findCertainMatch(found, absent)
      if (suggestion === undefined) continue
      const otherCase = findInOtherCase(found, [suggestion]) !== undefined
      yield diagnose('site/system-property', appendSegment(pointer, found), { found, suggestion, otherCase })
    }
  }
}
