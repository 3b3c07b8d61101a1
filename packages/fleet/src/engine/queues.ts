import type { DBOSClient } from '@dbos-inc/dbos-sdk'

/** The name of our application in the engine. */
export const application = 'landform'

/**
 * The version of the workflows; changed with the names or the order of their steps: only workers of the same version
 * continue a workflow.
 */
export const workflowVersion = 'landform-1'

/** The queues of the engine. */
export const queues = { sites: 'sites', rollouts: 'rollouts' } as const

/** Maximum number of sites at once. */
export interface Limits {
  /** On each worker. */
  readonly limit: number
  /** On all workers together; none if absent. */
  readonly fleetLimit?: number
}

/** Not exported by the package. */
type QueueOptions = NonNullable<Parameters<DBOSClient['registerQueue']>[1]>

/**
 * Returns the options of the sites queue: the most urgent site first, then the oldest, within the limits. Our tables ensure
 * that a site has one run at a time: a queue partitioned by site would take them in any order, and with a fleet limit would
 * query each of them at every poll.
 */
export function buildSitesQueue({ limit, fleetLimit }: Limits): QueueOptions {
  return {
    workerConcurrency: Math.min(limit, fleetLimit ?? limit),
    ...(fleetLimit !== undefined && { globalConcurrency: fleetLimit }),
    onConflict: 'always_update',
  }
}
