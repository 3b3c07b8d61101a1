import { smallestSizes } from '../../contract/field-notes.js'
import type { VolumeComponent } from '../../contract/volumes.js'
import { places } from '../places.js'
import { type Selected, select, type ValueIndex } from '../select.js'

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
