import type { Organization, PodPlacementPolicy } from '../manifest/manifest.js'

/**
 * What Landform's last apply left behind about one site, for what the service shows no way to read back.
 * Holds nothing secret, and nothing that a secret could be guessed from.
 */
export interface ApplyRecord {
  readonly formatVersion: 1
  /** Base URL of the site: a record of one site is never used for another. */
  readonly site: string
  /** Grows by one with each write; 0 where nothing was recorded yet. */
  readonly serial: number
  readonly organization?: {
    readonly appliedAt: string
    /** Digest of the manifest file that it was created from. */
    readonly manifest: string
    /** What it was created with, secrets as references; absent in records of older versions. */
    readonly value?: Organization
    /** Digests of its license files, by their fields. */
    readonly licenses?: Readonly<Record<string, string>>
  }
  readonly policy?: { readonly appliedAt: string; readonly value: PodPlacementPolicy }
  /** The saved plan that was performed last: it is never performed again. */
  readonly plan?: { readonly id: string; readonly usedAt: string }
}

/** The record of a site that Landform never applied anything to. */
export function emptyRecord(site: string): ApplyRecord {
  return { formatVersion: 1, site, serial: 0 }
}
