import { reportedProvisioningTypes } from '../../contract/field-notes.js'
import { documentedProvisioningType } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { longestSentText } from '../../schema/fields.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

const types: readonly string[] = [documentedProvisioningType, ...reportedProvisioningTypes]

const pattern = `${places.volumes}/provisioningType`

/** Volumes are provisioned in the one way that the service document shows. Service §2.4. */
export const provisioningIsDocumented: Rule = function* ({ index }) {
  for (const at of select(index, pattern)) {
    const found = at.value
    // The schema reports empty or too long text.
    if (typeof found !== 'string' || found === '' || found.length > longestSentText) continue
    if (found === documentedProvisioningType) continue
    const reported = types.includes(found)
    const meant = reported ? undefined : types.find(type => type === found.trim().toUpperCase())
    yield diagnose('volume/provisioning-type', at.pointer, { found, meant, reported })
  }
}
