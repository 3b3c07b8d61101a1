import { findKnownVersion, findSchemaVersion, isDocumented } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { Rule } from './rule.js'

/** A reported version gets a note; an unreported one is checked as the nearest earlier version. Service §9. */
export const versionIsDocumented: Rule = function* ({ version }) {
  if (version === undefined || isDocumented(version)) return
  const { reportedBy } = findKnownVersion(version) ?? {}
  const checkedAs = findSchemaVersion(version)
  if (reportedBy !== undefined)
    yield diagnose('version/reported', '/spec/site/version', { declared: version, reportedBy })
  else if (checkedAs !== undefined)
    yield diagnose('version/newer', '/spec/site/version', { declared: version, checkedAs })
}
