import { reportedLogLevels } from '../../contract/field-notes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { describeUnknownValue } from '../../diagnostics/did-you-mean.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** The log level is one that public sources name; the document shows none. Service §4.3. */
export const logLevelIsReported: Rule = function* ({ index }) {
  for (const { pointer, value: written } of select(index, '/spec/logLevel')) {
    const stranger = describeUnknownValue(written, reportedLogLevels)
    if (stranger !== undefined) yield diagnose('log/level', pointer, stranger)
  }
}
