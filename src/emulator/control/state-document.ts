import { type ReportedStageState, reportedSiteStates } from '../../contract/field-notes.js'
import { findStageProgress, type StageName, siteStates, stageNames } from '../../contract/responses.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { WatchedSite } from '../emulated-site.js'
import { computeProgress } from '../faults/configuration-progress.js'
import type { Fidelity } from '../field/field-world.js'
import { computeSiteState } from '../service/site-state.js'
import type { World } from '../service/world.js'

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

/** One site with its progress and its requests. */
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

/** One stage with its planned duration; times are 0 while nothing is configured. */
export interface StageStatus {
  readonly name: StageName
  readonly state: ReportedStageState
  readonly startTime: number
  readonly lastUpdated: number
  /** Null for a stage that never ends. */
  readonly durationMs: number | null
}

/** The progress of a site at one moment, always with all fourteen stages. */
export interface EmulatedStatus {
  readonly state: ReturnType<typeof computeSiteState>
  /** The number of stages that are complete. */
  readonly through: number
  readonly stages: readonly StageStatus[]
}

/** Computes the true status of a site, also before a configuration and where faults change the answers. Service §2.3, §3. */
export function computeSiteStatus(world: World, now: number): EmulatedStatus {
  const { configuration, durations } = world
  const records = configuration && computeProgress({ ...world, configuration }, now).stages
  const stages = stageNames.map((name, index): StageStatus => {
    const idle = { name, state: 'not_started', startTime: 0, lastUpdated: 0 } as const
    return { ...(records?.[index] ?? idle), durationMs: finiteOrNull(durations[name]) }
  })
  const through = stages.filter(stage => findStageProgress(stage.state) === 'through').length
  return { state: computeSiteState(world, now), through, stages }
}

/** True if the passing of time changes nothing any more. */
export function isUnchanging({ rules }: World, { state }: EmulatedStatus): boolean {
  const moving: readonly string[] = [siteStates.running, reportedSiteStates.configured]
  return !moving.includes(state) && !rules.some(({ on }) => on === 'site')
}

function finiteOrNull(milliseconds: number): number | null {
  return Number.isFinite(milliseconds) ? milliseconds : null
}
