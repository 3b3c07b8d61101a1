import { decideAfterWave as decide } from 'landform/sites'
import { hasEnded, type RunState } from '../model/run.js'

/** Number of runs of a wave in each state. */
export type WaveCounts = Readonly<Partial<Record<RunState, number>>>

/**
 * Decides what follows a wave, by the rule of `landform apply`. A cancelled site was a decision of a person; any other state
 * but `done` stops the later waves.
 */
export function decideAfterWave(counts: WaveCounts, keepsGoing: boolean): ReturnType<typeof decide> {
  const there = (Object.keys(counts) as RunState[]).filter(state => (counts[state] ?? 0) > 0)
  const states = there.map(state => {
    if (!hasEnded(state)) return 'open'
    const isGood = state === 'done' || state === 'cancelled'
    return isGood ? 'ended-well' : 'failed'
  })
  return decide(states, keepsGoing)
}
