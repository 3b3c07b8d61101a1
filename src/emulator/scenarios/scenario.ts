import type { ServiceVersion } from '../../contract/version.js'
import { rulesOf } from '../faults/notation.js'
import type { StageTimes } from '../service/durations.js'
import type { WorldOptions } from '../service/world.js'

/** A way for a day to go: what the options of an emulator say, under a name. Plain data. */
export interface Scenario {
  readonly summary?: string
  /** Rules as `parseRule` reads them. */
  readonly faults?: readonly string[]
  readonly seed?: number
  readonly version?: ServiceVersion
  readonly stageMs?: StageTimes
  /** True for a site that was configured long ago. */
  readonly configured?: boolean
}

/** Several scenarios as one: all faults, in their order, and of everything else what the last one says. */
export function worldOptionsOf(scenarios: readonly Scenario[]): WorldOptions {
  const settings = scenarios.map(({ summary, faults, ...rest }) => rest)
  return {
    ...Object.assign({}, ...settings),
    faults: rulesOf(scenarios.flatMap(({ faults = [] }) => faults)),
  }
}
