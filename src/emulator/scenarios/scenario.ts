import type { ServiceVersion } from '../../contract/versions.js'
import { parseBuiltInRules } from '../faults/notation.js'
import type { Fidelity, FieldOptions } from '../field/field-world.js'
import type { StageTimes } from '../service/durations.js'
import type { WorldOptions } from '../service/world.js'

/** The options of an emulator under a name. Plain data. */
export interface Scenario {
  readonly summary?: string
  /** Rules as `parseRule` reads them. */
  readonly faults?: readonly string[]
  readonly seed?: number
  readonly version?: ServiceVersion
  readonly stageMs?: StageTimes
  /** True for a site that was configured long ago. */
  readonly configured?: boolean
  readonly fidelity?: Fidelity
  /** `<ServiceName>.<ServiceType>` → number of webhooks; there is no other service then. */
  readonly webhooks?: Readonly<Record<string, number>>
  /** True if every export ends with a warning. Service §2.1. */
  readonly missingItems?: boolean
  /** Folders, buckets and containers that exports cannot be written to. */
  readonly unwritableLocations?: readonly string[]
  readonly field?: Pick<FieldOptions, 'upgrading' | 'securityFrom' | 'licenseRefusal'>
}

/** Merges scenarios: all faults, in order; of every other option the last value wins. */
export function mergeScenarios(scenarios: readonly Scenario[]): WorldOptions {
  const settings = scenarios.map(({ summary, faults, ...rest }) => rest)
  return {
    ...Object.assign({}, ...settings),
    field: Object.assign({}, ...settings.map(({ field }) => field)),
    faults: parseBuiltInRules(scenarios.flatMap(({ faults = [] }) => faults)),
  }
}
