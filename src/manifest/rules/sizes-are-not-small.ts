import { smallestSizes } from '../../contract/field-notes.js'
import { compareQuantities } from '../../contract/kubernetes.js'
import type { VolumeComponent } from '../../contract/volumes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { places, type Selected, select, type ValueIndex } from '../select.js'
import type { Rule } from './rule.js'

/** No volume is smaller than the smallest size that public sources report for its component. */
export const sizesAreNotSmall: Rule = function* ({ index }) {
  for (const { at, component, size } of findVolumeSizes(index)) {
    const smallest = smallestSizes[component]
    // Another rule reports an empty size.
    if (compareQuantities(size, smallest) === -1 && compareQuantities(size, '0Gi') === 1)
      yield diagnose('volume/size-small', at.pointer, { component, size, smallest })
  }
}

/** The size of a volume, as it is written. */
export interface VolumeSize {
  readonly at: Selected
  readonly component: VolumeComponent
  readonly size: string
}

/** Finds the sizes of the known volumes that are text; the schema reports the others. Service §2.4. */
export function findVolumeSizes(index: ValueIndex): readonly VolumeSize[] {
  return select(index, `${places.volumes}/size`).flatMap(readSize)
}

function readSize(at: Selected): readonly VolumeSize[] {
  const { value: size, owner } = at
  const component = owner?.name ?? ''
  return typeof size === 'string' && isComponent(component) ? [{ at, component, size }] : []
}

function isComponent(name: string): name is VolumeComponent {
  return Object.hasOwn(smallestSizes, name)
}
