import { smallestSizes } from '../../contract/field-notes.js'
import type { VolumeComponent } from '../../contract/volumes.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { places } from '../places.js'
import { type Selected, select } from '../select.js'

/** The size of a volume, as it is written. */
export interface VolumeSize {
  readonly at: Selected
  readonly component: VolumeComponent
  readonly size: string
}

const pattern = `${places.volumes}/size`

/** Finds the sizes of the known volumes that are text; the schema reports the others. Service §2.4. */
export function findVolumeSizes(manifest: JsonValue): readonly VolumeSize[] {
  const found = select(manifest, pattern)
  if (found !== selected) {
    selected = found
    sizes = found.flatMap(readSize)
  }
  return sizes
}

/** What was found last: several rules ask it of one manifest after another. */
let selected: readonly Selected[] | undefined
let sizes: readonly VolumeSize[] = []

function readSize(at: Selected): readonly VolumeSize[] {
  const { value: size, owner } = at
  const component = owner?.name ?? ''
  return typeof size === 'string' && isComponent(component) ? [{ at, component, size }] : []
}

function isComponent(name: string): name is VolumeComponent {
  return Object.hasOwn(smallestSizes, name)
}
