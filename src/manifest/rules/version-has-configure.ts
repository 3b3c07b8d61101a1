import { findIntroduction, includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { Rule } from './rule.js'

/** A manifest is for a version that can be configured at all. Service §9. */
export const versionHasConfigure: Rule = function* ({ version }) {
  const oldest = findIntroduction('configure')
  if (version !== undefined && !includes(version, oldest))
    yield diagnose('version/unsupported', '/spec/site/version', { version, oldest })
}
