import { type StageName, stageNames } from '../../contract/stages.js'

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

/**
 * Computes a pseudorandom number from 0 up to 1 from a seed and a name alone, without state, so that a world stays a
 * value and a run with the same seed is reproducible.
 */
export function computeFraction(seed: number, name: string): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
