import { preparedProvisioningType } from '../../contract/field-notes.js'
import { hasForm, labelKeyForm } from '../../contract/kubernetes.js'
import { componentMeanings, volumeFields, volumeLabels } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment, readLastSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

/** A volume has a tier label and an app label; the document does not show their keys. Service §2.4. */
export const volumesCarryTheirLabels: Rule = function* ({ index }) {
  for (const found of select(index, places.volumes)) {
    const volume = found.value
    // Another name is reported as an unknown field.
    if (!isObject(volume) || !(found.name in componentMeanings)) continue
    const { labels = {}, provisioningType } = volume
    if (!isObject(labels)) continue
    const keys = Object.keys(labels)
    const missing = volumeLabels.filter(name => !keys.some(key => isNamed(key, name)))
    // An invalid key may be one of the two: the rule about keys reports it.
    if (missing.length === 0 || !keys.every(key => hasForm(key, labelKeyForm))) continue
    if (findMisspelledFields(volume, Object.keys(volumeFields)).includes('labels')) continue
    const { pointer } = found
    const at = 'labels' in volume ? appendSegment(pointer, 'labels') : pointer
    const selects = provisioningType === preparedProvisioningType
    yield diagnose('volume/labels-missing', at, { component: readLastSegment(pointer), missing, selects })
  }
}

/** True for a key with this name, whatever subdomain is before it. */
function isNamed(key: string, name: string): boolean {
  return key === name || key.endsWith(`/${name}`)
}
