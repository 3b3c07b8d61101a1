import { ignoredBesideCloudStorage as component, smallestSizes } from '../../contract/field-notes.js'
import { compareQuantities } from '../../contract/kubernetes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

const pattern = `/spec/volumes/${component}/size`

/** A volume that is reported to be ignored with cloud storage has its smallest size. */
export const ignoredVolumeIsSmall: Rule = function* ({ index }) {
  if (select(index, '/spec/cloudStorage/*').length === 0) return
  const smallest = smallestSizes[component]
  for (const { pointer, value: size } of select(index, pattern))
    if (typeof size === 'string' && compareQuantities(size, smallest) === 1)
      yield diagnose('volume/size-unused', pointer, { component, size, smallest })
}
