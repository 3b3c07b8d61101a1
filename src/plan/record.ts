import type { Organization, PodPlacementPolicy } from '../manifest/manifest.js'

/** The values of an organization, as they are recorded: all of them after an apply, the known ones after an adoption. */
export type RecordedOrganization = Known<Organization>

type Known<T> = T extends readonly unknown[]
  ? T
  : string extends keyof T
    ? T
    : T extends object
      ? { readonly [K in keyof T]?: Known<T[K]> }
      : T

/**
 * The record of Landform's last apply to one site, kept because the service shows no way to read these values back.
 * Holds no secret, and nothing that a secret could be guessed from.
 */
export interface ApplyRecord {
  /** Grows by one with each change; 0 where nothing was recorded yet. */
  readonly serial: number
  readonly organization?: {
    /** The time of the apply, or of the assertion. */
    readonly appliedAt: string
    /** True where a person asserted the values with `adopt`: others created the organization. */
    readonly asserted?: true
    /** Digest of the manifest file that it was created from, or that the adoption wrote. */
    readonly manifest: string
    /** The values that it was created with, secrets as references. */
    readonly value: RecordedOrganization
    /** Digests of its license files, by their fields. */
    readonly licenses?: Readonly<Record<string, string>>
  }
  readonly policy?: { readonly appliedAt: string; readonly value: PodPlacementPolicy }
  /** The saved plan that was performed last: it is never performed again. */
  readonly plan?: { readonly id: string; readonly usedAt: string }
}

/** The record of a site that Landform never applied anything to. */
export const emptyRecord: ApplyRecord = { serial: 0 }
