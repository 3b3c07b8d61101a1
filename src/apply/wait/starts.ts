import type { Observation } from '../../plan/observation.js'
import type { SiteDifference } from './site-mark.js'
import { keyStages } from './stages.js'

/** The start times in the answers so far, by the clock of the service. */
export interface Starts {
  /** The start time of each stage, and the number of answers in a row that agree: one answer may be of another node. */
  readonly stages: ReadonlyMap<string, { readonly startTime: number; readonly looks: number }>
  /** The newest time that was seen. */
  readonly newest: number
}

export const noStarts: Starts = { stages: new Map(), newest: Number.NEGATIVE_INFINITY }

const believedAfter = 2

/** The starts after an answer of the same site. A stage that went back to its begin has none. */
export function updateStarts(starts: Starts, { stages }: Observation): Starts {
  const after = new Map(starts.stages)
  for (const [key, { state, startTime }] of keyStages(stages)) {
    if (state === 'not_started') after.delete(key)
    else if (isStartReported(startTime)) {
      const known = after.get(key)
      after.set(key, { startTime, looks: known?.startTime === startTime ? known.looks + 1 : 1 })
    }
  }
  const times = stages.flatMap(({ startTime = starts.newest, lastUpdated = starts.newest }) => [
    startTime,
    lastUpdated,
  ])
  return { stages: after, newest: Math.max(starts.newest, ...times) }
}

/**
 * The first stage that began at another time than the one that was seen: the answer is of another site. Only one that began again
 * since the newest time that was seen may be of the same. Service §2.3.
 */
export function findOtherStart(
  { stages: starts, newest }: Starts,
  { stages }: Observation,
): SiteDifference | undefined {
  for (const [key, { name, state, startTime }] of keyStages(stages)) {
    const known = starts.get(key)
    if (known === undefined || known.looks < believedAfter || !isStartReported(startTime)) continue
    if (startTime === known.startTime || startTime >= newest || state === 'not_started') continue
    return { kind: 'another-start', stage: name, was: known.startTime, is: startTime }
  }
  return undefined
}

/** 0 says that the stage has not started, or does not apply. Service §2.3. */
function isStartReported(startTime: number | undefined): startTime is number {
  return startTime !== undefined && startTime !== 0
}
