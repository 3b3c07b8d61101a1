import type { Figures, Histogram } from '../model/figures.js'
import { hasEnded, type RunState } from '../model/run.js'
import type { MetricFamily, MetricSample } from './open-metrics.js'

/** Figures of the process. */
export interface ProcessFigures {
  readonly residentBytes: number
  readonly cpuSeconds: number
  /** Seconds since 1970. */
  readonly startedAt: number
  readonly version: string
}

/** Formats the counters of one worker; their sum over all workers is that of the fleet. */
export function buildWorkerMetrics(figures: Figures): readonly MetricFamily[] {
  const { ended, runs, phases } = figures
  const total = (name: string, help: string, value: number): MetricFamily => ({
    name: `landform_worker_${name}`,
    type: 'counter',
    help,
    samples: [{ suffix: '_total', value }],
  })
  return [
    total('runs_started', 'Runs of sites that this worker started or took over.', figures.started),
    {
      ...total('runs_ended', 'Runs of sites that ended at this worker, by state.', 0),
      samples: Object.entries(ended)
        .filter(([state]) => hasEnded(state as RunState))
        .map(([state, value]) => ({ suffix: '_total', labels: { state }, value })),
    },
    total('configures', 'Accepted requests to create an organization.', figures.configures),
    total('retries', 'Retries after temporary failures.', figures.retries),
    total('orphans_adopted', 'Runs taken over from dead workers.', figures.adopted),
    total('database_errors', 'Failed queries of the database.', figures.databaseErrors),
    {
      name: 'landform_worker_run_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Duration of runs, from the first start to the end.',
      samples: buildHistogram(runs),
    },
    {
      name: 'landform_worker_phase_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Duration of the phases of runs.',
      samples: Object.entries(phases).flatMap(([phase, one]) => buildHistogram(one, { phase })),
    },
  ]
}

/** Formats the figures of the process, under the names of every exporter. */
export function buildProcessMetrics({
  residentBytes,
  cpuSeconds,
  startedAt,
  version,
}: ProcessFigures): readonly MetricFamily[] {
  return [
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Resident memory of the process.',
      samples: [{ value: residentBytes }],
    },
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'CPU time of the process.',
      samples: [{ suffix: '_total', value: cpuSeconds }],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Start time of the process since the Unix epoch.',
      samples: [{ value: startedAt }],
    },
    {
      name: 'landform_build',
      type: 'info',
      help: 'Version of Landform.',
      samples: [{ suffix: '_info', labels: { version }, value: 1 }],
    },
  ]
}

function buildHistogram(
  { buckets, sumSeconds }: Histogram,
  labels: MetricSample['labels'] = {},
): readonly MetricSample[] {
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
