import type { FleetFigures } from '../model/fleet-figures.js'
import type { Family } from './open-metrics.js'

/**
 * Formats the figures of the fleet. Every worker reports the same, so queries take the maximum. `undefined`: the database
 * did not respond.
 */
export function fleetMetrics(figures: FleetFigures | undefined): readonly Family[] {
  const up: Family = {
    name: 'landform_fleet_database_up',
    type: 'gauge',
    help: 'Whether the database answered just now.',
    samples: [{ value: figures === undefined ? 0 : 1 }],
  }
  if (figures === undefined) return [up]
  const gauge = (name: string, help: string, value: number): Family => ({
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
      ...gauge(
        'oldest_queued_seconds',
        'How long the site that waits longest for a worker has waited.',
        figures.oldestQueuedSeconds,
      ),
      unit: 'seconds',
    },
    gauge('workers', 'Workers that hold their lease.', figures.workers),
    gauge('worker_limit', 'How many sites all of them have at once at most.', figures.workerLimit),
    gauge('stopped_rollouts', 'Submissions whose later waves wait for a person.', figures.stoppedRollouts),
  ]
}
