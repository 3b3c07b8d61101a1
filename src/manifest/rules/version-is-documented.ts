import { compareVersions, newestVersion } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { Rule } from './rule.js'

/** A version newer than the newest documented one is checked as that one, and says so. Service §9. */
export const versionIsDocumented: Rule = function* ({ version }) {
  if (version !== undefined && compareVersions(version, newestVersion) > 0)
    yield diagnose('version/newer', '/spec/site/version', { declared: version })
}
