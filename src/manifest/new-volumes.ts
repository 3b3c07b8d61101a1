import type { VolumeComponent } from '../contract/volumes.js'

/** A volume of a new manifest; unknown fields are absent, and the rules report them. */
export interface NewVolume {
  readonly provisioningType?: string
  readonly size?: string
  readonly storageClass?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** The volumes with at least one known field. */
export type NewVolumes = Readonly<Partial<Record<VolumeComponent, NewVolume>>>
