import { includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { youngerFields } from '../../schema/homes.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** No field is younger than the declared service version. Service §9. */
export const fieldsExistInTheVersion: Rule = function* ({ value, version }) {
  if (version === undefined) return
  for (const { name, since } of youngerFields) {
    if (includes(version, since)) continue
    for (const { pointer } of select(value, `/spec/${name}`))
      yield diagnose('version/field-too-new', pointer, { field: name, needs: since, declared: version })
  }
}
