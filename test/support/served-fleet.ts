import { DatabaseError } from '../../packages/fleet/src/database/database-error.js'
import type { Rollout, Run } from '../../packages/fleet/src/model/run.js'
import { buildFleetDocument } from '../../packages/fleet/src/report/history.js'
import {
  computeSha256,
  type FleetPageOptions,
  startFleetPage,
} from '../../packages/fleet/src/ui/fleet-page.js'
import { stageNames } from '../../src/contract/responses.js'
import type { StageRecord } from '../../src/plan/observation.js'
import { atEnd } from './at-end.js'

/** The time at which all runs and rollouts start. */
export const begin = Date.UTC(2026, 2, 4, 9, 0, 0)

/** The token that readers need if the page is guarded. */
export const token = 'correct-horse-battery-staple'

/** Returns a run of a site, whose name and address have this number. */
export function aRun(number: number, more: Partial<Run> = {}): Run {
  const name = `site-${number}`
  return {
    site: `https://${name}.example.org/gis/admin`,
    generation: 1,
    rollout: 'spring',
    name,
    manifest: `sites/${name}.yaml`,
    digest: `sha256:${'0'.repeat(64)}`,
    wave: 1,
    priority: 100,
    timeoutMs: 3 * 60 * 60_000,
    state: 'done',
    stages: [],
    warnings: [],
    retries: 0,
    isCancelRequested: false,
    submittedAt: begin,
    changedAt: begin,
    ...more,
  }
}

/** Returns the stages of a configuration: the first `through` completed, the next one in progress. */
export function stagesOf(through: number): readonly StageRecord[] {
  return stageNames.map((name, index) => ({
    name,
    state: index < through ? 'completed' : index === through ? 'in_progress' : 'not_started',
  }))
}

/** A fleet that tests can change, instead of one in a database. */
export interface FakeFleet {
  runs: readonly Run[]
  rollouts: readonly Rollout[]
  workers: readonly string[]
  beatAt: number
  /** The error code of the database, if it fails. */
  trouble: string | undefined
  /** The number of reads. */
  reads: number
}

export function aFleet(runs: readonly Run[] = []): FakeFleet {
  const spring = { id: 'spring', submittedBy: 'ada@ci-17', submittedAt: begin, wave: 1, waves: 2 }
  const rollouts = [{ ...spring, keepsGoing: false, state: 'running' }] as const
  return { runs, rollouts, workers: ['worker-1'], beatAt: begin, trouble: undefined, reads: 0 }
}

/** Serves the page of a fleet. By default each request reads the fleet, since the clock advances by a second at each call. */
export async function served(
  fleet: FakeFleet = aFleet(),
  { isGuarded = false, ...options }: Partial<FleetPageOptions> & { readonly isGuarded?: boolean } = {},
) {
  let time = 0
  const page = await startFleetPage({
    listen: { host: '127.0.0.1', port: 0 },
    now: () => (time += 1000),
    ...(isGuarded && { tokenDigest: computeSha256(token) }),
    async readFleet() {
      fleet.reads += 1
      if (fleet.trouble !== undefined) throw new DatabaseError('no', fleet.trouble)
      const { beatAt, runs, rollouts } = fleet
      const lease = { startedAt: begin, beatAt, leaseMs: 10_000, limit: 20, version: '0.1.0' }
      const workers = fleet.workers.map(worker => ({ ...lease, worker, isSilent: worker === 'gone' }))
      return buildFleetDocument({ now: begin, runs, rollouts, workers }, 0)
    },
    ...options,
  })
  atEnd(page.close)
  return { url: page.url, fleet, close: page.close }
}
