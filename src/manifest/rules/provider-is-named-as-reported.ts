import { credentialTypes, reportedProviderNames } from '../../contract/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findInOtherCase } from '../../diagnostics/did-you-mean.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { findCloudProviders } from './cloud-providers.js'
import type { Rule } from './rule.js'

/**
 * A provider has the name that public sources use with its credential type; a second provider of that type needs a
 * different name. Service §2.5.
 */
export const providerIsNamedAsReported: Rule = function* ({ index }) {
  const providers = findCloudProviders(index)
  const taken = providers.map(({ provider }) => provider['name'])
  for (const { at, provider, type } of providers) {
    const [found, reported] = [provider['name'], reportedProviderNames[credentialTypes[type].provider]]
    if (typeof found !== 'string' || found === '' || taken.includes(reported)) continue
    const otherCase = findInOtherCase(found, [reported]) !== undefined
    yield diagnose('cloud/provider-name', appendSegment(at.pointer, 'name'), {
      type,
      found,
      reported,
      otherCase,
    })
  }
}
