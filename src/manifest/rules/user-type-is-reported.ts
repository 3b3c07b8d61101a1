import { mergedUserTypes, reportedUserTypes } from '../../contract/field-notes.js'
import { includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { describeUnknownValue } from '../../diagnostics/did-you-mean.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** The user type is one that public sources name; the license decides which exist. Service §4.3. */
export const userTypeIsReported: Rule = function* ({ index, version }) {
  const { since, names } = mergedUserTypes
  const isMerged = version !== undefined && includes(version, since)
  for (const { pointer, value: written } of select(index, '/spec/administrator/userType')) {
    const stranger = describeUnknownValue(written, reportedUserTypes)
    if (stranger !== undefined) yield diagnose('administrator/user-type', pointer, stranger)
    const found = names.find(name => name === written)
    if (isMerged && found !== undefined) yield diagnose('administrator/user-type-merged', pointer, { found })
  }
}
