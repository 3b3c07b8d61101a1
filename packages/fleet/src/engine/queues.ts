import type { DBOSClient } from '@dbos-inc/dbos-sdk'

/** The name that the engine keeps our rows under. */
export const application = 'landform'

/**
 * The shape of the workflows, which is changed with the names or the order of their steps: what was begun with one shape
 * is only gone on with by workers of the same.
 */
export const shape = 'landform-1'

/** The queues of the engine. */
export const queues = { sites: 'sites', rollouts: 'rollouts' } as const

/** How many sites are under way at once, at most. */
export interface Limits {
  /** On each worker. */
  readonly limit: number
  /** On all of them together; none where absent. */
  readonly fleetLimit?: number
}

/** The package does not name it. */
type QueueOptions = NonNullable<Parameters<DBOSClient['registerQueue']>[1]>

/**
 * How the engine takes sites: the most urgent first, then the oldest, and no more than the limits allow. That a site has one
 * run at a time is up to our tables: a queue with a partition for each site would take them in any order, and with a limit
 * for the fleet would ask for each of them at every look.
 */
export function sitesQueue({ limit, fleetLimit }: Limits): QueueOptions {
  return {
    workerConcurrency: Math.min(limit, fleetLimit ?? limit),
    ...(fleetLimit !== undefined && { globalConcurrency: fleetLimit }),
    onConflict: 'always_update',
  }
}
