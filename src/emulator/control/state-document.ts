import type { ReportedStageState } from '../../contract/field-notes.js'
import { findStageProgress, type StageName, stageNames } from '../../contract/responses.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { WatchedSite } from '../emulated-site.js'
import { computeProgress } from '../faults/configuration-progress.js'
import type { Fidelity } from '../field/field-world.js'
import type { RecordedRequest, RequestLog } from '../log/request-log.js'
import { computeSiteState } from '../service/site-state.js'
import type { World } from '../service/world.js'

/** Facts about all sites that do not change while the emulator runs. */
interface EmulatorFacts {
  /** The ID of this emulator. */
  readonly instance: string
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

/** The report of the emulator on itself: `schemas/emulator-state.schema.json`. */
export interface StateDocument extends EmulatorFacts {
  readonly formatVersion: 1
  /** Milliseconds since 1970 on the clock of the service. */
  readonly now: number
  readonly sites: readonly SiteSummary[]
  /** One of the sites in detail. */
  readonly selected: {
    readonly site: string
    readonly stages: readonly StageStatus[]
    /** Its newest requests, newest first. */
    readonly requests: readonly RecordedRequest[]
  }
}

/** The progress of one site, and the counters of its requests. */
export interface SiteSummary {
  readonly site: string
  readonly url: string
  readonly state: ReturnType<typeof computeSiteState>
  /** The number of stages that are complete. */
  readonly through: number
  readonly counters: World['counters']
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

/** The contents of a state document: the sites by base path, and their requests. */
export interface EmulatorContents {
  readonly facts: EmulatorFacts
  readonly sites: ReadonlyMap<string, WatchedSite>
  readonly log: RequestLog
}

const maxRequests = 200

/** Describes the emulator at one moment, with one of its sites in detail. */
export function buildStateDocument(
  { facts, sites, log }: EmulatorContents,
  selected: string,
  now: number,
): StateDocument {
  const site = sites.get(selected)
  return {
    formatVersion: 1,
    ...facts,
    now: Math.round(now),
    sites: [...sites].map(([path, { url, world }]) => ({
      site: path,
      url,
      state: computeSiteState(world(), now),
      through: computeStages(world(), now).filter(({ state }) => findStageProgress(state) === 'through')
        .length,
      counters: world().counters,
    })),
    selected: {
      site: selected,
      stages: site === undefined ? [] : computeStages(site.world(), now),
      requests: log.of(selected).slice(-maxRequests).reverse(),
    },
  }
}

/**
 * Computes the true status of all fourteen stages, even before a configuration, or if faults change the answers.
 * Service §2.3, §3.
 */
function computeStages(world: World, now: number): readonly StageStatus[] {
  const { configuration, durations } = world
  const records = configuration && computeProgress({ ...world, configuration }, now).stages
  return stageNames.map((name, index) => {
    const idle = { name, state: 'not_started', startTime: 0, lastUpdated: 0 } as const
    const durationMs = durations[name]
    return { ...(records?.[index] ?? idle), durationMs: Number.isFinite(durationMs) ? durationMs : null }
  })
}
