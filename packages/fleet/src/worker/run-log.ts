import type { FleetStore } from '../database/fleet-store.js'
import type { Run } from '../model/run.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'
import type { RunLog } from '../workflow/run-ports.js'

/** The store and the event receiver of a worker. */
export interface RunLogOptions {
  readonly store: FleetStore
  readonly worker: string
  readonly report: ReportWorkerEvent
}

/** Writes the log of a run to the database, and reports it to the observers of the worker. */
export function createRunLog(order: Run, { store, worker, report }: RunLogOptions): RunLog {
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
      const now = await store.run(order)
      const durationMs = (now?.endedAt ?? 0) - (now?.startedAt ?? now?.endedAt ?? 0)
      report({ type: 'run-ended', run, state: end.state, outcome: end.message, durationMs })
    },
  }
}
