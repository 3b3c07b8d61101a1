import { type StageName, type StageState, stageNames, stageProgress } from '../../contract/stages.js'
import { siteStates } from '../../contract/states.js'
import { siteState } from '../service/site-state.js'
import { timeline } from '../service/timeline.js'
import type { World } from '../service/world.js'

/** One stage with the length it is going to have; times are 0 while nothing is configured. */
export interface StageStatus {
  readonly name: StageName
  readonly state: StageState
  readonly startTime: number
  readonly lastUpdated: number
  readonly durationMs: number
}

/** How far a site has come at one moment, always with all fourteen stages. */
export interface SiteStatus {
  readonly state: ReturnType<typeof siteState>
  /** How many stages are through. */
  readonly through: number
  readonly stages: readonly StageStatus[]
}

/** Looks at a site as its root resource would, but also before there is anything to see. Service §2.3, §3. */
export function siteStatus(world: World, now: number): SiteStatus {
  const { configuration, durations } = world
  const records = configuration && timeline(configuration.begunAt, now, durations).stages
  const stages = stageNames.map((name, index): StageStatus => {
    const idle = { name, state: 'not_started', startTime: 0, lastUpdated: 0 } as const
    return { ...(records?.[index] ?? idle), durationMs: durations[name] }
  })
  const through = stages.filter(stage => stageProgress[stage.state] === 'through').length
  return { state: siteState(world, now), through, stages }
}

/** True where time alone changes nothing any more. */
export function isSettled({ state }: SiteStatus): boolean {
  return state !== siteStates.running
}
