import { preparedProvisioningType } from '../../contract/field-notes.js'
import { documentedProvisioningType } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { longestSentText } from '../../schema/fields.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

const types: readonly string[] = [documentedProvisioningType, preparedProvisioningType]

const pattern = `${places.volumes}/provisioningType`

/**
 * Volumes are provisioned in the one way that the service document shows. The other reported way is one note, however
 * many volumes have it. Service §2.4.
 */
export const provisioningIsDocumented: Rule = function* ({ index }) {
  const found = select(index, pattern)
  const [first, ...others] = found.filter(({ value }) => value === preparedProvisioningType)
  if (first !== undefined) yield diagnose('volume/static', first.pointer, { volumes: others.length + 1 })
  for (const { value, pointer } of found) {
    // The schema reports empty or too long text.
    if (typeof value !== 'string' || value === '' || value.length > longestSentText) continue
    if (types.includes(value)) continue
    const meant = types.find(type => type === value.trim().toUpperCase())
    yield diagnose('volume/provisioning-type', pointer, { found: value, meant })
  }
}
