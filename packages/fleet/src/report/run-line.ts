import { countCompleteStages, formatDuration } from 'landform/report'
import type { FleetSnapshot } from '../model/fleet-snapshot.js'
import type { Run } from '../model/run.js'

/** The columns of a table of runs. */
export const runColumns = ['site', 'state', 'at', 'for', 'worker', 'retries', 'message'] as const

/** Formats a run as a row of such a table. */
export function formatRunCells(run: Run, { now }: Pick<FleetSnapshot, 'now'>): readonly string[] {
  const { name, state, worker = '-', retries, message = '' } = run
  const isCalledOff = run.isCancelRequested && state === 'running'
  return [
    name,
    isCalledOff ? 'cancelling' : state,
    describeProgress(run),
    formatDuration(now - selectStart(run)),
    worker,
    retries === 0 ? '-' : String(retries),
    state === 'done' ? '' : message,
  ]
}

/** Describes the progress of a run: its phase with the number of completed stages, or the wave it waits for. */
export function describeProgress({ state, phase, stages, wave }: Run): string {
  if (state === 'waiting') return `wave ${wave}`
  if (state !== 'running') return '-'
  const through = stages.length === 0 ? '' : ` ${countCompleteStages(stages)}/${stages.length}`
  return `${phase ?? 'observe'}${through}`
}

/** Returns the start of its state: the submission, the start or the end. */
function selectStart({ submittedAt, startedAt, endedAt }: Run): number {
  return endedAt ?? startedAt ?? submittedAt
}
