import { hasEnded, type RunState } from '../model/run.js'

/** Number of runs of a wave in each state. */
export type WaveCounts = Readonly<Partial<Record<RunState, number>>>

/**
 * Decides what follows a wave. A cancelled site was a decision of a person; any other state but `done` stops the later
 * waves.
 */
export function decideAfterWave(counts: WaveCounts, keepsGoing: boolean): 'open' | 'goes-on' | 'stops' {
  const there = (Object.keys(counts) as RunState[]).filter(state => (counts[state] ?? 0) > 0)
  if (!there.every(hasEnded)) return 'open'
  const isGood = there.every(state => state === 'done' || state === 'cancelled')
  return isGood || keepsGoing ? 'goes-on' : 'stops'
}
