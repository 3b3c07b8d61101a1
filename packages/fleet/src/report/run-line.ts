import { formatDuration } from '../../../../src/report/duration.js'
import { countThrough } from '../../../../src/report/event-text.js'
import type { FleetLook } from '../model/fleet-look.js'
import type { Run } from '../model/run.js'

/** The columns of a table of runs. */
export const runColumns = ['site', 'state', 'at', 'for', 'worker', 'retries', 'message'] as const

/** A run as a row of such a table. */
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

/** Where a run is, in few words: its phase and how many stages are through, or the wave that it waits for. */
export function placeOf({ state, phase, stages, wave }: Run): string {
  if (state === 'waiting') return `wave ${wave}`
  if (state !== 'running') return '-'
  const through = stages.length === 0 ? '' : ` ${countThrough(stages)}/${stages.length}`
  return `${phase ?? 'observe'}${through}`
}

/** When its state began: with the submission, the start or the end. */
function sinceOf({ submittedAt, startedAt, endedAt }: Run): number {
  return endedAt ?? startedAt ?? submittedAt
}
