import { reportedSiteStates } from '../../contract/field-notes.js'
import type { ReportedStageState } from '../../contract/field-operations.js'
import { type StageName, stageNames, stageProgress } from '../../contract/stages.js'
import { siteStates } from '../../contract/states.js'
import { computeProgress } from '../faults/configuration-progress.js'
import { computeSiteState } from '../service/site-state.js'
import type { World } from '../service/world.js'

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
  const progress: Readonly<Record<string, string>> = stageProgress
  const through = stages.filter(stage => progress[stage.state] === 'through').length
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
