import { hasForm, labelKeyForm } from '../../contract/kubernetes.js'
import { volumeFields, volumeLabels } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment, readLastSegment } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { places } from '../places.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** A volume has a tier label and an app label; the document does not show their keys. Service §2.4. */
export const volumesCarryTheirLabels: Rule = function* ({ value }) {
  for (const found of select(value, places.volumes)) {
    const volume = found.value
    if (!isObject(volume) || findMisspelledFields(volume, Object.keys(volumeFields)).includes('labels'))
      continue
    const { labels = {} } = volume
    // An invalid key may be one of the two: the rule about keys reports it.
    if (!isObject(labels) || !Object.keys(labels).every(key => hasForm(key, labelKeyForm))) continue
    const names = Object.keys(labels).map(key => key.slice(key.lastIndexOf('/') + 1))
    const missing = volumeLabels.filter(name => !names.includes(name))
    if (missing.length === 0) continue
    const { pointer } = found
    const at = 'labels' in volume ? appendSegment(pointer, 'labels') : pointer
    yield diagnose('volume/labels-missing', at, { component: readLastSegment(pointer), missing })
  }
}
