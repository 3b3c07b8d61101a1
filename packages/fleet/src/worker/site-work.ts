import { setTimeout as delay } from 'node:timers/promises'
import { type StateBackend, stateStore } from 'landform'
import { statePorts, systemClock } from 'landform/sites'
import { DatabaseError, describeDatabaseError } from '../database/database-error.js'
import type { FleetStore } from '../database/fleet-store.js'
import type { FleetSession } from '../database/session.js'
import { limitConcurrency } from '../model/limit-concurrency.js'
import { formatWorkflowId, type Order, type RunKey } from '../model/run.js'
import { advanceRollout, decideAfterWave } from '../model/submission.js'
import { applyRun } from '../workflow/apply-run.js'
import type { OpenedManifest, RunLog, RunPorts } from '../workflow/run-ports.js'
import type { NamedRun, ReportWorkerEvent } from './log.js'

/** The cancellation of each run of this process, by workflow id. */
export type RunsHere = Map<string, AbortController>

interface SiteWorkParts {
  readonly store: FleetStore
  readonly report: ReportWorkerEvent
  /** Aborted when the worker is to leave. */
  readonly leaving: AbortSignal
  readonly session: FleetSession
  readonly state: StateBackend
  readonly runs: RunsHere
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number | undefined
  openManifest(order: Order): Promise<OpenedManifest>
}

/** Returns a function that does the work of a run and stores its result. */
export function createSiteWork(parts: SiteWorkParts): (key: RunKey) => Promise<void> {
  const { store, session, state, runs, leaving, pollMs, openManifest, report } = parts
  // Opening a manifest needs processor time, which may be scarce, so a due heartbeat goes first. A site has its turn to start
  // until it only waits, which limits the requests with an unknown outcome that a dead worker leaves.
  const turns = {
    open: limitConcurrency(5, () => session.heartbeat()),
    start: limitConcurrency(20, () => session.heartbeat()),
  }
  return async key => {
    const id = formatWorkflowId(key)
    if (leaving.aborted || runs.has(id)) return
    const cancelling = new AbortController()
    runs.set(id, cancelling)
    try {
      const order = await repeatWhileAway(() => store.start(key, session.executor), parts)
      // The ticket of a run that is no longer queued is ignored.
      if (order === undefined) return
      const { site, generation, name } = order
      const run = { site, generation, name }
      const isSent = order.phase !== undefined && order.phase !== 'observe'
      if (order.isCancelRequested) cancelling.abort()
      else report({ type: 'run-started', run })
      const kept = stateStore(state, { url: site }, statePorts(systemClock))
      const ports: RunPorts = {
        clock: systemClock,
        ...(pollMs !== undefined && { pollMs }),
        runLog: createRunLog(run, parts),
        cancelled: cancelling.signal,
        leaving,
        // A site of a dead worker does not wait for others, because its request may be in flight.
        inTurn: (what, work) => (what === 'start' && isSent ? work() : turns[what](work)),
        openManifest: () => openManifest(order),
        readState: () => kept.read(),
        report: runReport => report({ ...runReport, run }),
      }
      await applyRun(order, ports)
    } finally {
      runs.delete(id)
    }
  }
}

function createRunLog(run: NamedRun, parts: SiteWorkParts): RunLog {
  const { store, report, session } = parts
  const { executor } = session
  return {
    progress: progress => store.progress(run, executor, progress),
    add: notes => store.addEvents(run, notes),
    async end(end) {
      const durationMs = (await repeatWhileAway(() => store.end(run, executor, end), parts)) ?? 0
      report({ type: 'run-ended', run, state: end.state, outcome: end.message, durationMs })
    },
  }
}

/**
 * Advances the running rollouts: queues the sites of the current wave and, once it has ended, starts the next wave or stops
 * the rollout. Any number of workers may do this at the same time.
 */
export async function advanceRollouts(store: FleetStore, report: ReportWorkerEvent): Promise<void> {
  for (const rollout of await store.runningRollouts()) {
    const { id, wave } = rollout
    await store.queueWave(id, wave)
    const states = await store.waveStates(id, wave)
    const next = advanceRollout(rollout, states)
    if (next === undefined || !(await store.moveRollout(rollout, next))) continue
    const isGood = decideAfterWave(states, false) === 'goes-on'
    const outcome = isGood ? {} : { outcome: 'a site did not succeed' }
    report({ type: 'rollout-changed', rollout: id, ...next, ...outcome })
  }
}

/** A query of a worker, while the database is unavailable. */
const pauseMs = 2000

/** Repeats a query until the database responds, or the worker leaves. */
export async function repeatWhileAway<T>(
  ask: () => Promise<T>,
  { report, leaving }: Pick<SiteWorkParts, 'report' | 'leaving'>,
): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof DatabaseError) || leaving.aborted) throw error
      report({ type: 'database-failed', why: describeDatabaseError(error), code: error.code })
      // Ignores the signal, because each of hundreds of sites would add a listener to it.
      await delay(pauseMs)
    }
  }
}
