import { type StageName, stageNames } from '../../contract/stages.js'
import { computeFraction } from './random.js'

/** The duration of each stage of a configuration, in milliseconds; the document shows none. */
export type Durations = Readonly<Record<StageName, number>>

/** One duration for all stages, or one for each that should differ from 250. */
export type StageTimes = number | Readonly<Partial<Record<StageName, number>>>

const usualMs = 250

/**
 * Computes the duration of each stage. With a seed they vary reproducibly from half to one and a half of the given ones,
 * as stages of a real site do.
 */
export function computeDurations(times: StageTimes = usualMs, seed?: number): Durations {
  const entries = stageNames.map(name => {
    const wanted = typeof times === 'number' ? times : (times[name] ?? usualMs)
    return [
      name,
      seed === undefined ? wanted : Math.round(wanted * (0.5 + computeFraction(seed, name))),
    ] as const
  })
  return Object.fromEntries(entries) as Record<StageName, number>
}
