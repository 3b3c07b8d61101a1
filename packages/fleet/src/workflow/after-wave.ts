import { hasEnded, type RunState } from '../model/run.js'

/** How many runs of a wave are in each state. */
export type WaveCounts = Readonly<Partial<Record<RunState, number>>>

/** What follows from how a wave stands. Who cancelled a site has decided; every other end but `done` stops what comes after. */
export function afterWave(counts: WaveCounts, keepsGoing: boolean): 'open' | 'goes-on' | 'stops' {
  const there = (Object.keys(counts) as RunState[]).filter(state => (counts[state] ?? 0) > 0)
  if (!there.every(hasEnded)) return 'open'
  const isGood = there.every(state => state === 'done' || state === 'cancelled')
  return isGood || keepsGoing ? 'goes-on' : 'stops'
}
