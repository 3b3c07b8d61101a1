import { type StageName, stageNames } from '../../contract/stages.js'
import { fraction } from './random.js'

/** How long each stage of a configuration takes, in milliseconds; the document shows no durations. */
export type Durations = Readonly<Record<StageName, number>>

/** One length for all stages, or one for each that should differ from 250. */
export type StageTimes = number | Readonly<Partial<Record<StageName, number>>>

const usualMs = 250

/**
 * The length of each stage. With a seed they spread from half to one and a half of what was asked for, the same way
 * each time, since stages of a real site do not keep step either.
 */
export function durationsOf(times: StageTimes = usualMs, seed?: number): Durations {
  const entries = stageNames.map(name => {
    const wanted = typeof times === 'number' ? times : (times[name] ?? usualMs)
    return [name, seed === undefined ? wanted : Math.round(wanted * (0.5 + fraction(seed, name)))] as const
  })
  return Object.fromEntries(entries) as Record<StageName, number>
}
