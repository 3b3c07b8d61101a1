import type { ServiceVersion } from '../../contract/versions.js'
import type { WatchedSite } from '../emulated-site.js'
import type { Fidelity } from '../field/field-world.js'
import type { World } from '../service/world.js'
import { type SiteStatus, siteStatus } from './site-status.js'

/** What holds of all sites, and never changes while the emulator runs. */
export interface EmulatorFacts {
  readonly serviceVersion: ServiceVersion
  /** How near the answers are to what only public sources report of the service. */
  readonly fidelity: Fidelity
  /** What the faults that are played are called, if anything. */
  readonly scenario: string | null
  /** Each fault as it was written. */
  readonly faults: readonly string[]
  /** How much faster than the clock of the machine the time of the service runs. */
  readonly speed: number
}

/** What the emulator says of itself: `schemas/emulator-state.schema.json`. */
export interface StateDocument extends EmulatorFacts {
  readonly formatVersion: 1
  /** Milliseconds since 1970 on the clock of the service. */
  readonly now: number
  readonly sites: readonly (SiteStatus & {
    readonly site: string
    readonly url: string
    readonly counters: World['counters']
  })[]
}

/** The emulator at one moment; no request and no parameter of one is in it. */
export function stateDocument(
  facts: EmulatorFacts,
  sites: ReadonlyMap<string, WatchedSite>,
  now: number,
): StateDocument {
  return {
    formatVersion: 1,
    ...facts,
    now: Math.round(now),
    sites: [...sites].map(([site, { url, world }]) => ({
      site,
      url,
      ...siteStatus(world(), now),
      counters: world().counters,
    })),
  }
}
