import { formatWorkflowId, type Load, type QueuedRun } from '../model/run.js'

/** An entry of the queue, which only names a run: the row of the run decides what happens. */
export interface Ticket {
  readonly workflowID: string
  readonly status: string
  /** The process that took it from the queue. */
  readonly executorId?: string
  /** The time of its last change, in milliseconds since 1970. */
  readonly updatedAt?: number
}

/** The start of a run after its ticket was taken. A worker that lost the response of the database never starts it. */
const startDeadlineMs = 60_000

/**
 * Compares the tickets with the queued runs, which are authoritative. Returns the tickets to delete (ended, taken by a dead
 * process, or taken without a start) and the runs without another ticket.
 */
export function compareTickets<R extends QueuedRun>(
  runs: readonly R[],
  tickets: readonly Ticket[],
  { now, executors }: Pick<Load, 'now' | 'executors'>,
): { readonly stale: readonly string[]; readonly missing: readonly R[] } {
  const queued = new Map(runs.map(run => [formatWorkflowId(run), run]))
  const isStale = ({ workflowID, status, executorId = '', updatedAt = now }: Ticket) => {
    if (status === 'ENQUEUED') return false
    if (status !== 'PENDING' || !executors.includes(executorId)) return true
    return queued.has(workflowID) && now - updatedAt > startDeadlineMs
  }
  const stale = tickets.filter(isStale).map(({ workflowID }) => workflowID)
  const gone = new Set(stale)
  for (const { workflowID } of tickets) if (!gone.has(workflowID)) queued.delete(workflowID)
  return { stale, missing: [...queued.values()] }
}

/**
 * Computes the place of a run in the queue; smaller numbers go first. Runs that a worker has begun go before new ones, so
 * the sites of a dead worker need not wait. Among these, runs that only wait for a service go last, because the others may
 * have a request in flight.
 */
export function computePlace({ phase, priority }: Pick<QueuedRun, 'phase' | 'priority'>): number {
  if (phase === undefined) return priority + 1
  return phase === 'wait' ? 1 : 0
}

/** The minimum number of sites that one of several workers may take, because the number of sites may still grow. */
const minShare = 2

/**
 * Computes how many sites each worker and all workers together may take. Each worker has a share, because otherwise the
 * first one that polls takes as many as it may, while others idle. Runs without a ticket count as well: those that were
 * running when the tables of the queue were dropped.
 */
export function computeLimits(
  {
    active,
    running,
    workers,
    limit,
    fleetLimit,
  }: Pick<Load, 'active' | 'running' | 'workers' | 'limit' | 'fleetLimit'>,
  taken: number,
) {
  const globalConcurrency =
    fleetLimit === undefined ? undefined : Math.max(1, fleetLimit - Math.max(0, running - taken))
  const share = workers < 2 ? limit : Math.min(limit, Math.max(minShare, Math.ceil(active / workers)))
  const workerConcurrency = Math.min(share, globalConcurrency ?? share)
  return { workerConcurrency, ...(globalConcurrency !== undefined && { globalConcurrency }) }
}
