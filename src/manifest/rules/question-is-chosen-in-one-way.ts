import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** The secret question is named by its text or by its number, not both. Service §2.9. */
export const questionIsChosenInOneWay: Rule = function* ({ index }) {
  for (const { pointer, value: chosen } of select(index, '/spec/administrator/securityQuestion')) {
    if (!isObject(chosen)) continue
    const misspelt = findMisspelledFields(chosen, ['question', 'index', 'answer'])
    const ways = ['question', 'index'].filter(way => way in chosen || misspelt.includes(way))
    if (ways.length === 1) continue
    const problem =
      ways.length === 0 ? 'has neither `question` nor `index`' : 'has both `question` and `index`'
    yield diagnose('administrator/security-question', pointer, { problem })
  }
}
