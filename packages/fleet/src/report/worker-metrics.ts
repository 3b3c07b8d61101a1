import type { Figures, Histogram } from '../model/figures.js'
import { hasEnded, type RunState } from '../model/run.js'
import type { Family, Sample } from './open-metrics.js'

/** Figures of the process. */
export interface ProcessFigures {
  readonly residentBytes: number
  readonly cpuSeconds: number
  /** Seconds since 1970. */
  readonly startedAt: number
  readonly version: string
}

/** Formats the counters of one worker; their sum over all workers is that of the fleet. */
export function workerMetrics(figures: Figures): readonly Family[] {
  const { ended, runs, phases } = figures
  const total = (name: string, help: string, value: number): Family => ({
    name: `landform_worker_${name}`,
    type: 'counter',
    help,
    samples: [{ suffix: '_total', value }],
  })
  return [
    total('runs_started', 'Runs of sites that this worker began or took up.', figures.started),
    {
      ...total('runs_ended', 'Runs of sites that ended here, by how.', 0),
      samples: Object.entries(ended)
        .filter(([state]) => hasEnded(state as RunState))
        .map(([state, value]) => ({ suffix: '_total', labels: { state }, value })),
    },
    total('configures', 'Requests that create an organization, accepted by a service.', figures.configures),
    total('retries', 'Tries after something that another try may help.', figures.retries),
    total('orphans_adopted', 'Runs taken over from workers that died.', figures.adopted),
    total('database_errors', 'Times that the database did not answer.', figures.databaseErrors),
    {
      name: 'landform_worker_run_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Whole runs of sites, from the first begin to the end.',
      samples: histogram(runs),
    },
    {
      name: 'landform_worker_phase_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Parts of runs.',
      samples: Object.entries(phases).flatMap(([phase, one]) => histogram(one, { phase })),
    },
  ]
}

/** Formats the figures of the process, under the names of every exporter. */
export function processMetrics({
  residentBytes,
  cpuSeconds,
  startedAt,
  version,
}: ProcessFigures): readonly Family[] {
  return [
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Memory that the process has.',
      samples: [{ value: residentBytes }],
    },
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'Time of processors that the process used.',
      samples: [{ suffix: '_total', value: cpuSeconds }],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the process began, since 1970.',
      samples: [{ value: startedAt }],
    },
    {
      name: 'landform_build',
      type: 'info',
      help: 'Which Landform it is.',
      samples: [{ suffix: '_info', labels: { version }, value: 1 }],
    },
  ]
}

function histogram({ buckets, sumSeconds }: Histogram, labels: Sample['labels'] = {}): readonly Sample[] {
  return [
    ...buckets.map(({ seconds, count }) => ({
      suffix: '_bucket',
      labels: { ...labels, le: seconds === Infinity ? '+Inf' : seconds.toFixed(1) },
      value: count,
    })),
    { suffix: '_count', labels, value: buckets.at(-1)?.count ?? 0 },
    { suffix: '_sum', labels, value: sumSeconds },
  ]
}
