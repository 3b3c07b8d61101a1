import type { ServiceVersion } from '../../contract/versions.js'
import type { WatchedSite } from '../emulated-site.js'
import type { Fidelity } from '../field/field-world.js'
import type { World } from '../service/world.js'
import { computeSiteStatus, type EmulatedStatus } from './site-status.js'

/** Facts about all sites that do not change while the emulator runs. */
export interface EmulatorFacts {
  readonly serviceVersion: ServiceVersion
  /** The sources that answers follow: only the document, or also public reports about the service. */
  readonly fidelity: Fidelity
  /** The name of the active scenario, if any. */
  readonly scenario: string | null
  /** Each fault as it was written. */
  readonly faults: readonly string[]
  /** The speed of the time of the service, relative to the clock of the machine. */
  readonly speed: number
}

/** One site with its progress and what it received. */
export interface EmulatedSiteStatus extends EmulatedStatus {
  /** The base path. */
  readonly site: string
  readonly url: string
  readonly counters: World['counters']
}

/** The report of the emulator on itself: `schemas/emulator-state.schema.json`. */
export interface StateDocument extends EmulatorFacts {
  readonly formatVersion: 1
  /** Milliseconds since 1970 on the clock of the service. */
  readonly now: number
  readonly sites: readonly EmulatedSiteStatus[]
}

/** Describes the emulator at one moment, without requests and their parameters. */
export function buildStateDocument(
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
      ...computeSiteStatus(world(), now),
      counters: world().counters,
    })),
  }
}
