import { systemClock } from '../../../../src/library/system-clock.js'
import type { Session } from '../database/session.js'
import type { Work } from '../engine/dbos-engine.js'
import { isOfEngine, wasWithdrawn } from '../engine/without-text.js'
import type { Order } from '../model/run.js'
import { applyRun } from '../workflow/apply-run.js'
import type { Hold, OpenedManifest, RunPorts } from '../workflow/run-ports.js'
import { type RunWriting, runDiary } from './run-diary.js'
import type { RunsHere } from './runs-here.js'
import { turns } from './turns.js'

interface Means extends RunWriting {
  readonly session: Session
  readonly runs: RunsHere
  /** Aborted when the worker is to leave. */
  readonly leaving: AbortSignal
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number | undefined
  openManifest(order: Order): Promise<OpenedManifest>
}

/** Runs the workflow of one site; its run holds the result. */
export function siteWork(means: Means): Work['apply'] {
  const { store, session, runs, leaving, pollMs, openManifest, tell: report } = means
  const inTurn = turns()
  return async (payload, steps) => {
    const order = await store.run(payload)
    // A run that was deleted by hand needs no work.
    if (order === undefined) return
    const runLog = runDiary(order, means)
    const ports: RunPorts = {
      ...inTurn({ steps, clock: systemClock }),
      random: Math.random,
      ...(pollMs !== undefined && { pollMs }),
      diary: runLog,
      cancelled: runs.begin(order),
      leaving,
      hold: () => held(session, order),
      openManifest,
      tell: runReport =>
        report({ ...runReport, run: { site: order.site, generation: order.generation, name: order.name } }),
    }
    try {
      await applyRun(order, ports)
    } catch (error) {
      if (wasWithdrawn(error)) await runLog.end(withdrawn)
      // A failure while the worker leaves does not end the run: another worker continues it.
      else if (!isOfEngine(error) && !leaving.aborted) return await runLog.end(defect)
      throw error
    } finally {
      runs.end(order)
    }
  }
}

const withdrawn = { state: 'cancelled', message: 'cancelled', exitCode: 130 } as const

const defect = {
  state: 'failed',
  message: 'internal error; this is a bug in Landform, please report it',
  exitCode: 70,
} as const

async function held(session: Session, { site, rollout }: Order): Promise<Hold> {
  const taken = await session.take(site, `rollout ${rollout}`)
  if (taken.kind === 'held') return taken
  const { host, pid } = taken.by.holder
  return { kind: 'locked', by: `process ${pid} on ${host}` }
}
