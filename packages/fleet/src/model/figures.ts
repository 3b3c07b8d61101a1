import { type Phase, type RunState, runStates } from './run.js'
import type { WorkerEvent } from './worker-event.js'

/** A histogram of durations: for each upper bound the count at or below it; the last bucket holds all. */
export interface Histogram {
  readonly buckets: readonly { readonly seconds: number; readonly count: number }[]
  readonly sumSeconds: number
}

/** Counters of a worker since its start. All of them only grow. */
export interface Figures {
  readonly ended: Readonly<Record<RunState, number>>
  readonly runs: Histogram
  readonly phases: Readonly<Record<Phase, Histogram>>
  readonly started: number
  readonly configures: number
  readonly retries: number
  readonly adopted: number
  readonly databaseErrors: number
}

/** Upper bounds in seconds, from a site that is already ready to a configuration that takes half a day. */
const bounds: readonly number[] = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, Infinity]

const none: Histogram = { buckets: bounds.map(seconds => ({ seconds, count: 0 })), sumSeconds: 0 }

/** The figures of a worker that has just started. */
export const noFigures: Figures = {
  ended: Object.fromEntries(runStates.map(state => [state, 0])) as Record<RunState, number>,
  runs: none,
  phases: { observe: none, configure: none, wait: none, update: none },
  started: 0,
  configures: 0,
  retries: 0,
  adopted: 0,
  databaseErrors: 0,
}

/** Returns the figures after one more event. */
export function countEvent(figures: Figures, event: WorkerEvent): Figures {
  switch (event.type) {
    case 'run-started':
      return { ...figures, started: figures.started + 1 }
    case 'run-ended': {
      const ended = { ...figures.ended, [event.state]: figures.ended[event.state] + 1 }
      return { ...figures, ended, runs: withOne(figures.runs, event.durationMs) }
    }
    case 'phase-ended': {
      const phase = withOne(figures.phases[event.phase], event.durationMs)
      return { ...figures, phases: { ...figures.phases, [event.phase]: phase } }
    }
    case 'configure-accepted':
      return { ...figures, configures: figures.configures + 1 }
    case 'run-retried':
      return { ...figures, retries: figures.retries + 1 }
    case 'runs-adopted':
      return { ...figures, adopted: figures.adopted + event.runs }
    case 'database-failed':
      return { ...figures, databaseErrors: figures.databaseErrors + 1 }
    default:
      return figures
  }
}

function withOne({ buckets, sumSeconds }: Histogram, durationMs: number): Histogram {
  const took = durationMs / 1000
  return {
    buckets: buckets.map(({ seconds, count }) => ({ seconds, count: took <= seconds ? count + 1 : count })),
    sumSeconds: sumSeconds + took,
  }
}
