import { formatDuration } from '../../../../src/report/duration.js'
import { countThrough } from '../../../../src/report/event-text.js'
import type { FleetLook } from '../model/fleet-look.js'
import type { Run } from '../model/run.js'

/** The columns of a table of runs. */
export const runColumns = ['site', 'state', 'at', 'for', 'worker', 'retries', 'message'] as const

/** Formats a run as a row of such a table. */
export function runCells(run: Run, { now }: Pick<FleetLook, 'now'>): readonly string[] {
  const { name, state, worker = '-', retries, message = '' } = run
  const isCalledOff = run.isCancelRequested && state === 'running'
  return [
    name,
    isCalledOff ? 'cancelling' : state,
    placeOf(run),
    formatDuration(now - sinceOf(run)),
    worker,
    retries === 0 ? '-' : String(retries),
    state === 'done' ? '' : message,
  ]
}

/** Describes the progress of a run: its phase with the number of completed stages, or the wave it waits for. */
export function placeOf({ state, phase, stages, wave }: Run): string {
  if (state === 'waiting') return `wave ${wave}`
  if (state !== 'running') return '-'
  const through = stages.length === 0 ? '' : ` ${countThrough(stages)}/${stages.length}`
  return `${phase ?? 'observe'}${through}`
}

/** Returns the start of its state: the submission, the start or the end. */
function sinceOf({ submittedAt, startedAt, endedAt }: Run): number {
  return endedAt ?? startedAt ?? submittedAt
}
