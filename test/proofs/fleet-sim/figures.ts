import type { PlayedRun } from './fleet-play.js'
import { growthOf } from './growth.js'
import { mostAtOnce } from './judge.js'

/** What a course comes to. Times in milliseconds. */
export interface FleetFigures {
  readonly runs: number
  readonly wholeMs: number
  /** How long sites of the first submission wait for a worker: half of them no longer than the first, none longer than the second. */
  readonly waitMs: readonly [half: number, most: number]
  /** The same for those that are to go first. */
  readonly urgentWaitMs: number | undefined
  readonly atOnce: number
  readonly orphans: number
  /** Until it is noticed that their worker is dead. */
  readonly unnoticedMs: number
  /** Until another worker has them, for which it needs a place. */
  readonly adoptedMs: number
  readonly stepsOfSite: number
  readonly rows: number
  readonly bytes: number
}

export function figuresOf(runs: readonly PlayedRun[]): FleetFigures {
  const begun = runs.filter(({ spans }) => spans.length > 0)
  const waits = (priority: number) =>
    begun
      .filter(run => run.priority === priority)
      .map(({ spans, queuedMs = 0 }) => (spans[0]?.fromMs ?? 0) - queuedMs)
      .sort((a, b) => a - b)
  const plain = waits(100)
  const lost = runs.flatMap(({ losses, spans }) =>
    losses.map(({ diedMs, foundMs }, at) => ({
      unnoticedMs: foundMs - diedMs,
      adoptedMs: (spans[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY) - diedMs,
    })),
  )
  return {
    runs: runs.length,
    wholeMs: most(runs.map(({ endedMs = 0 }) => endedMs)),
    waitMs: [plain[Math.floor(plain.length / 2)] ?? 0, plain.at(-1) ?? 0],
    urgentWaitMs: waits(1).at(-1),
    atOnce: mostAtOnce(begun.flatMap(({ spans }) => spans)),
    orphans: lost.length,
    unnoticedMs: most(lost.map(({ unnoticedMs }) => unnoticedMs)),
    adoptedMs: most(lost.map(({ adoptedMs }) => adoptedMs)),
    stepsOfSite: begun.reduce((sum, { play }) => sum + play.steps.length, 0) / begun.length,
    ...growthOf(runs),
  }
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((largest, one) => Math.max(largest, one), 0)
}
