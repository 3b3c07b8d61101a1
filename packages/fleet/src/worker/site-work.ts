import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from 'landform/sites'
import { type DatabaseError, describeDatabaseError, isUnreachable } from '../database/database-error.js'
import type { FleetStore } from '../database/fleet-store.js'
import type { FleetSession } from '../database/session.js'
import { isEngineError, wasWithdrawn } from '../engine/durable-steps.js'
import type { WorkflowHandlers } from '../engine/engine.js'
import type { EngineClient } from '../engine/engine-client.js'
import { formatWorkflowId, type Order, type Run } from '../model/run.js'
import { applyRun } from '../workflow/apply-run.js'
import { runRollout } from '../workflow/roll-out.js'
import type { OpenedManifest, RunLog, RunPorts, SiteHold } from '../workflow/run-ports.js'
import type { ReportWorkerEvent } from './log.js'

/** The cancellation of each run of this process, by the name of its workflow. */
export type RunsHere = Map<string, AbortController>

interface WorkParts {
  readonly store: FleetStore
  readonly report: ReportWorkerEvent
  /** Aborted when the worker is to leave. */
  readonly leaving: AbortSignal
}

interface SiteWorkParts extends WorkParts {
  readonly worker: string
  readonly session: FleetSession
  readonly runs: RunsHere
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number | undefined
  openManifest(order: Order): Promise<OpenedManifest>
}

/**
 * A dead worker leaves few requests with an unknown outcome; of hundreds of sites, few manifests are open at once; and those
 * that were observed are configured before all have been.
 */
const maxAtOnce = { observe: 60, open: 20, send: 20 } as const

/** Runs the workflow of one site; its run holds the result. */
export function createSiteWork(parts: SiteWorkParts): WorkflowHandlers['apply'] {
  const { store, session, runs, leaving, pollMs, openManifest, report } = parts
  const turns = {
    observe: limitConcurrency(maxAtOnce.observe),
    open: limitConcurrency(maxAtOnce.open),
    send: limitConcurrency(maxAtOnce.send),
  }
  return async (payload, steps) => {
    const order = await store.run(payload)
    // A run that was deleted by hand needs no work.
    if (order === undefined) return
    const { site, generation, name, rollout } = order
    const runLog = createRunLog(order, parts)
    const id = formatWorkflowId(order)
    const cancelling = new AbortController()
    runs.set(id, cancelling)
    const ports: RunPorts = {
      steps: {
        ...steps,
        // In the step: a result that is recorded already needs no turn.
        run: (phase, step) =>
          steps.run(phase, phase.startsWith('observe') ? () => turns.observe(step) : step),
      },
      clock: systemClock,
      random: Math.random,
      ...(pollMs !== undefined && { pollMs }),
      runLog,
      cancelled: cancelling.signal,
      leaving,
      inTurn: (what, work) => turns[what](work),
      hold: () => holdSite(session, site, rollout),
      openManifest,
      report: runReport => report({ ...runReport, run: { site, generation, name } }),
    }
    try {
      await applyRun(order, ports)
    } catch (error) {
      if (wasWithdrawn(error)) await runLog.end({ state: 'cancelled', message: 'cancelled', exitCode: 130 })
      // A failure while the worker leaves does not end the run: another worker continues it.
      else if (!isEngineError(error) && !leaving.aborted) return await runLog.end(internalError)
      throw error
    } finally {
      runs.delete(id)
    }
  }
}

const internalError = {
  state: 'failed',
  message: 'internal error; this is a bug in Landform, please report it',
  exitCode: 70,
} as const

async function holdSite(session: FleetSession, site: string, rollout: string): Promise<SiteHold> {
  const taken = await session.acquire(site, `rollout ${rollout}`)
  if (taken.kind === 'held') return taken
  const { host, pid } = taken.by.holder
  return { kind: 'locked', by: `process ${pid} on ${host}` }
}

/** Limits concurrency to a number of tasks; the others wait for their turn, in order. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = max
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Writes the log of a run to the database, and reports it to the observers of the worker. */
function createRunLog(order: Run, { store, worker, report }: SiteWorkParts): RunLog {
  const { site, generation, name } = order
  const run = { site, generation, name }
  return {
    async start() {
      const isStarted = await store.start(order, worker)
      if (isStarted) report({ type: 'run-started', run })
      return isStarted ? 'started' : 'cancelled'
    },
    async readLast() {
      const { stages = [], warnings = [] } = (await store.run(order)) ?? {}
      return { stages, warnings }
    },
    progress: progress => store.progress(order, progress),
    async add(notes) {
      if (notes.some(({ type }) => type === 'configure-accepted')) report({ type: 'configure-accepted', run })
      await store.addEvents(order, notes)
    },
    async end(end) {
      await store.end(order, end)
      const { startedAt, endedAt = 0 } = (await store.run(order)) ?? {}
      const durationMs = endedAt - (startedAt ?? endedAt)
      report({ type: 'run-ended', run, state: end.state, outcome: end.message, durationMs })
    },
  }
}

/** Runs the workflow of a submission. One that was deleted by hand counts as cancelled. */
export function createRolloutWork({
  store,
  client,
  report,
  leaving,
}: WorkParts & { readonly client: EngineClient }): WorkflowHandlers['rollout'] {
  return async (id, steps) => {
    const beginWave = async (wave: number) => {
      while ((await store.beginWave(id, wave, client.enqueueRun)).length > 0);
    }
    await runRollout({
      steps,
      clock: systemClock,
      leaving,
      rollout: async () => (await store.rollout(id)) ?? deletedRollout,
      beginWave,
      async states(wave) {
        // Starts runs that waited for other runs of their sites.
        await beginWave(wave)
        return store.waveStates(id, wave)
      },
      async set(change) {
        await store.setRollout(id, change)
        report({ type: 'rollout-changed', rollout: id, ...change })
      },
    })
  }
}

const deletedRollout = { wave: 1, waves: 0, keepsGoing: false, state: 'cancelled' } as const

type StoreMethod = (...values: never[]) => Promise<unknown>

/**
 * Wraps a store so that it waits while the database is unreachable, as the engine does: a run does not fail because a
 * server restarts. Every other error is thrown at once. All calls share one pause, because each could be that of a site.
 */
export function createRetryingStore(
  store: FleetStore,
  { report, leaving }: Omit<WorkParts, 'store'>,
): FleetStore {
  let pause: Promise<void> | undefined
  let pauseMs = 100
  const wait = () => {
    pause ??= delay(pauseMs, undefined, { signal: leaving }).finally(() => {
      pause = undefined
      pauseMs = Math.min(pauseMs * 2, 5000)
    })
    return pause
  }
  const withRetries =
    (ask: StoreMethod): StoreMethod =>
    async (...values) => {
      for (;;) {
        try {
          const answer = await ask(...values)
          pauseMs = 100
          return answer
        } catch (error) {
          if (!isTemporary(error) || leaving.aborted) throw error
          report({ type: 'database-failed', why: describeDatabaseError(error), code: error.code })
          await wait()
        }
      }
    }
  return Object.fromEntries(
    Object.entries(store).map(([name, ask]) => [name, withRetries(ask)]),
  ) as FleetStore
}

/** True for an unreachable database, or for two conflicting transactions. */
function isTemporary(error: unknown): error is DatabaseError {
  return isUnreachable(error) || /^(?:40001|40P01)$/.test((error as { readonly code?: string }).code ?? '')
}
