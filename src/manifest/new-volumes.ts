import type { VolumeComponent } from '../contract/volumes.js'

/** A volume of a new manifest; what is not known is absent, and the rules say so. */
export interface NewVolume {
  readonly provisioningType?: string
  readonly size?: string
  readonly storageClass?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** Those volumes of which something is known. */
export type NewVolumes = Readonly<Partial<Record<VolumeComponent, NewVolume>>>
