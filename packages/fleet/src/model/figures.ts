import { type Phase, type RunState, runStates } from './run.js'
import type { WorkerEvent } from './worker-event.js'

/** How many took how long: of each bound, those that took no longer, the last one being all. */
export interface Histogram {
  readonly buckets: readonly { readonly seconds: number; readonly count: number }[]
  readonly sumSeconds: number
}

/** What a worker counted since it began. All of it only grows. */
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

/** From a look at a site that is ready, in seconds, to a configuration that takes half a day. */
const bounds: readonly number[] = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, Infinity]

const none: Histogram = { buckets: bounds.map(seconds => ({ seconds, count: 0 })), sumSeconds: 0 }

/** Where counting begins. */
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

/** The figures after one more event. */
export function counted(figures: Figures, event: WorkerEvent): Figures {
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
