import { systemClock } from 'landform/sites'
import type { FleetSession } from '../database/session.js'
import type { WorkflowHandlers } from '../engine/dbos-engine.js'
import { isEngineError, wasWithdrawn } from '../engine/engine-errors.js'
import { formatWorkflowId, type Order } from '../model/run.js'
import { applyRun } from '../workflow/apply-run.js'
import type { OpenedManifest, RunPorts, SiteHold } from '../workflow/run-ports.js'
import { createRunLog, type RunLogOptions } from './run-log.js'
import { createStepTurns } from './turns.js'

/** The cancellation of each run of this process, by the name of its workflow. */
export type RunsHere = Map<string, AbortController>

interface SiteWorkParts extends RunLogOptions {
  readonly session: FleetSession
  readonly runs: RunsHere
  /** Aborted when the worker is to leave. */
  readonly leaving: AbortSignal
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number | undefined
  openManifest(order: Order): Promise<OpenedManifest>
}

/** Runs the workflow of one site; its run holds the result. */
export function createSiteWork(means: SiteWorkParts): WorkflowHandlers['apply'] {
  const { store, session, runs, leaving, pollMs, openManifest, report } = means
  const inTurn = createStepTurns()
  return async (payload, steps) => {
    const order = await store.run(payload)
    // A run that was deleted by hand needs no work.
    if (order === undefined) return
    const runLog = createRunLog(order, means)
    const id = formatWorkflowId(order)
    const cancelling = new AbortController()
    runs.set(id, cancelling)
    const ports: RunPorts = {
      ...inTurn({ steps, clock: systemClock }),
      random: Math.random,
      ...(pollMs !== undefined && { pollMs }),
      runLog,
      cancelled: cancelling.signal,
      leaving,
      hold: () => holdSite(session, order),
      openManifest,
      report: runReport =>
        report({ ...runReport, run: { site: order.site, generation: order.generation, name: order.name } }),
    }
    try {
      await applyRun(order, ports)
    } catch (error) {
      if (wasWithdrawn(error)) await runLog.end(withdrawn)
      // A failure while the worker leaves does not end the run: another worker continues it.
      else if (!isEngineError(error) && !leaving.aborted) return await runLog.end(internalError)
      throw error
    } finally {
      runs.delete(id)
    }
  }
}

const withdrawn = { state: 'cancelled', message: 'cancelled', exitCode: 130 } as const

const internalError = {
  state: 'failed',
  message: 'internal error; this is a bug in Landform, please report it',
  exitCode: 70,
} as const

async function holdSite(session: FleetSession, { site, rollout }: Order): Promise<SiteHold> {
  const taken = await session.acquire(site, `rollout ${rollout}`)
  if (taken.kind === 'held') return taken
  const { host, pid } = taken.by.holder
  return { kind: 'locked', by: `process ${pid} on ${host}` }
}
