import {
  type StageName,
  type StageState,
  siteStates,
  stageNames,
  stageNotApplicableAtFirst,
} from '../../contract/responses.js'

/** The duration of each stage of a configuration, in milliseconds; the document shows none. */
export type Durations = Readonly<Record<StageName, number>>

/** One duration for all stages, or one for each that should differ from 250. */
export type StageTimes = number | Readonly<Partial<Record<StageName, number>>>

const usualMs = 250

/**
 * Computes the duration of each stage. With a seed, durations vary reproducibly between half and one and a half times
 * the given ones, as on real sites.
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

/** One stage at one moment; times are whole milliseconds since 1970. Service §2.3. */
export type EmulatedStage = {
  readonly name: StageName
  readonly state: StageState
  readonly lastUpdated: number
  /** 0 when the stage has not started or does not apply. */
  readonly startTime: number
}

/** A configuration at one moment: overall state and stages always agree. Service §3. */
interface Timeline {
  readonly state: (typeof siteStates)[keyof typeof siteStates]
  readonly stages: readonly EmulatedStage[]
}

/**
 * Computes the progress of a configuration: a pure function, so a test can read any moment without waiting. Service §3.
 *
 * The document does not show the transitions between stage states, nor whether stages overlap. Here stages run one
 * after the other, and the stage that does not apply at first never does.
 */
export function computeTimeline(begunAt: number, now: number, durations: Durations): Timeline {
  let startsAt = begunAt
  const stages = stageNames.map((name): EmulatedStage => {
    if (name === stageNotApplicableAtFirst)
      return { name, state: 'not_applicable', lastUpdated: Math.round(begunAt), startTime: 0 }
    const span = { begunAt, startsAt, endsAt: startsAt + durations[name] }
    startsAt = span.endsAt
    return computeStage(name, now, span)
  })
  return { state: now >= startsAt ? siteStates.done : siteStates.running, stages }
}

interface Span {
  readonly begunAt: number
  readonly startsAt: number
  readonly endsAt: number
}

function computeStage(name: StageName, now: number, { begunAt, startsAt, endsAt }: Span): EmulatedStage {
  const startTime = Math.round(startsAt)
  if (now < startsAt) return { name, state: 'not_started', lastUpdated: Math.round(begunAt), startTime: 0 }
  if (now < endsAt) return { name, state: 'in_progress', lastUpdated: startTime, startTime }
  return { name, state: 'completed', lastUpdated: Math.round(endsAt), startTime }
}
