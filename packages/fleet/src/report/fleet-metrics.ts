import type { FleetFigures } from '../model/fleet-figures.js'
import type { MetricFamily } from './open-metrics.js'

/**
 * Formats the figures of the fleet. Every worker reports the same, so queries take the maximum. `undefined`: the database
 * did not respond.
 */
export function buildFleetMetrics(figures: FleetFigures | undefined): readonly MetricFamily[] {
  const up: MetricFamily = {
    name: 'landform_fleet_database_up',
    type: 'gauge',
    help: '1 if the database responded, else 0.',
    samples: [{ value: figures === undefined ? 0 : 1 }],
  }
  if (figures === undefined) return [up]
  const gauge = (name: string, help: string, value: number): MetricFamily => ({
    name: `landform_fleet_${name}`,
    type: 'gauge',
    help,
    samples: [{ value }],
  })
  return [
    up,
    {
      ...gauge('sites', 'Sites by the state of their newest run.', 0),
      samples: Object.entries(figures.sites).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      ...gauge('oldest_queued_seconds', 'Age of the longest wait for a worker.', figures.oldestQueuedSeconds),
      unit: 'seconds',
    },
    gauge('workers', 'Workers with a valid lease.', figures.workers),
    gauge('worker_limit', 'Sum of the site limits of all workers.', figures.workerLimit),
    gauge('stopped_rollouts', 'Rollouts that were stopped and wait for a person.', figures.stoppedRollouts),
  ]
}
