import { serverLicenseBefore } from '../../contract/field-notes.js'
import { findIntroduction, includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** A server license file is present exactly for the versions that are reported to require one. Service §4.3. */
export const serverLicenseFitsTheVersion: Rule = function* ({ index, version }) {
  if (version === undefined || !includes(version, findIntroduction('configure'))) return
  const needless = includes(version, serverLicenseBefore)
  for (const { pointer, value: license } of select(index, '/spec/license')) {
    if (!isObject(license)) continue
    const facts = { declared: version }
    const given = 'serverFile' in license
    if (needless && given)
      yield diagnose('license/server-file-needless', appendSegment(pointer, 'serverFile'), facts)
    if (!needless && !given && !findMisspelledFields(license, ['file', 'serverFile']).includes('serverFile'))
      yield diagnose('license/server-file-absent', pointer, facts)
  }
}
