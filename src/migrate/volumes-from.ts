import {
  type StorageGroup,
  splitLabel,
  storageFields,
  storageGroups,
} from '../contract/configure-properties.js'
import type { VolumeComponent } from '../contract/volumes.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import type { NewVolume, NewVolumes } from '../manifest/new-manifest.js'
import type { JsonPointer } from '../schema/pointer.js'
import type { Property } from './read-properties.js'

/** Every storage property in the files of public sources. */
export const knownStorageProperties: readonly string[] = Object.keys(storageGroups).flatMap(group =>
  [...Object.keys(storageFields), 'LABEL_1', 'LABEL_2'].map(field => `${group}_STORAGE_${field}`),
)

/** Converts storage properties to volumes, with the property behind each field. */
export function convertVolumes(properties: readonly Property[]): {
  readonly volumes: NewVolumes
  readonly places: ReadonlyMap<JsonPointer, Place>
  readonly diagnostics: readonly Diagnostic[]
} {
  const volumes: Partial<Record<VolumeComponent, NewVolume>> = {}
  const places = new Map<JsonPointer, Place>()
  const diagnostics: Diagnostic[] = []
  for (const property of properties) {
    const { name, written, value, place } = property
    const [, group = '', field = ''] = /^([A-Z]+)_STORAGE_([A-Z]+)(?:_\d+)?$/.exec(name) ?? []
    if (!Object.hasOwn(storageGroups, group)) continue
    const change = convertField(field, value)
    if (change === 'no-label')
      diagnostics.push({
        ...diagnose('properties/left-out', '', { names: [written], because: change }),
        place,
      })
    for (const component of storageGroups[group as StorageGroup]) {
      const owner = `/spec/volumes/${component}` as const
      if (!places.has(owner)) places.set(owner, place)
      if (typeof change !== 'object') continue
      const { labels, ...plain } = change
      const before = volumes[component]
      volumes[component] = {
        ...before,
        ...plain,
        ...(labels !== undefined && { labels: { ...before?.labels, ...labels } }),
      }
      places.set(`${owner}/${labels === undefined ? Object.keys(plain)[0] : 'labels'}`, place)
    }
  }
  return { volumes, places, diagnostics }
}

function convertField(field: string, value: string | undefined): NewVolume | 'no-label' | undefined {
  if (value === undefined || value === '') return undefined
  if (Object.hasOwn(storageFields, field))
    return { [storageFields[field as keyof typeof storageFields]]: value }
  if (field !== 'LABEL') return undefined
  const label = splitLabel(value)
  return label === undefined ? 'no-label' : { labels: { [label[0]]: label[1] } }
}
