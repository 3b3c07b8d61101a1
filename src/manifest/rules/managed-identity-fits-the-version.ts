import { replacedCredential } from '../../contract/cloud.js'
import { includes } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { findCloudProviders } from './cloud-providers.js'
import type { Rule } from './rule.js'

/** A credential type that newer versions replaced is used only with older versions. Service §2.5. */
export const managedIdentityFitsTheVersion: Rule = function* ({ index, version }) {
  if (version === undefined || !includes(version, replacedCredential.since)) return
  for (const { at, type } of findCloudProviders(index))
    if (type === replacedCredential.type)
      yield diagnose(
        'cloud/managed-identity-replaced',
        appendSegment(appendSegment(at.pointer, 'credential'), 'type'),
        {},
      )
}
