import { failedStage } from '../../contract/field-operations.js'
import type { Observation } from '../../plan/observation.js'
import type { Anomaly } from './anomalies.js'
import { keyStages } from './stages.js'

/** Since when each stage has failed, by the clock of this process. */
export type FailedSince = ReadonlyMap<string, number>

/** The time after which a stage that is still failed is reported again. */
const againMs = 5 * 60_000

/** Finds stages that failed at a site that does not report a failure: each is reported at once, and again after minutes. */
export function findFailedStages(
  since: FailedSince,
  { kind, stages }: Observation,
  elapsedMs: number,
): { readonly failedSince: FailedSince; readonly anomalies: readonly Anomaly[] } {
  const failing = [...keyStages(stages)].filter(([, { state }]) => state === failedStage && kind !== 'failed')
  const failedSince = new Map(failing.map(([key]) => [key, since.get(key) ?? elapsedMs]))
  const anomalies = failing.map(([key, { name }]): Anomaly => {
    const isLong = elapsedMs - (failedSince.get(key) ?? elapsedMs) >= againMs
    return { kind: 'failed-stage', stage: name, forMs: isLong ? againMs : 0 }
  })
  return { failedSince, anomalies }
}
