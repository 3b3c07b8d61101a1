import { reportedProfiles } from '../../contract/profiles.js'
import { includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** A manifest has two profiles from the version on that replaced the one. Field notes §1.7. */
export const profileFitsTheVersion: Rule = function* ({ index, version }) {
  if (version === undefined || !includes(version, reportedProfiles.since)) return
  for (const { pointer, value: spec } of select(index, '/spec')) {
    const [profile] = select(index, '/spec/profile')
    const isReplaced =
      select(index, '/spec/deploymentProfiles/*').length > 0 ||
      (isObject(spec) && findMisspelledFields(spec, ['deploymentProfiles']).length > 0)
    if (profile !== undefined) yield diagnose('profile/replaced', profile.pointer, { isWritten: true })
    else if (!isReplaced) yield diagnose('profile/replaced', pointer, { isWritten: false })
  }
}
