import { includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findNewerParts } from '../newer-parts.js'
import type { Rule } from './rule.js'

/** No field or credential type is newer than the declared service version. Service §9, field notes §1.6. */
export const fieldsExistInTheVersion: Rule = function* ({ index, version }) {
  if (version === undefined) return
  for (const { name: field, since: needs, pointer } of findNewerParts(index))
    if (!includes(version, needs))
      yield diagnose('version/field-too-new', pointer, { field, needs, declared: version })
}
