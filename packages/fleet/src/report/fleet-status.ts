import { describeSites, display, formatDuration, formatTextTable, type Paint } from 'landform/report'
import { canContinue, type FleetSnapshot, type WorkerStatus } from '../model/fleet-snapshot.js'
import type { Rollout, Run } from '../model/run.js'
import { formatRunCells, runColumns } from './run-line.js'

/** Formats a fleet for people: its sites, their number by state, stopped rollouts, and its workers. */
export function formatFleet(snapshot: FleetSnapshot, paint: Paint): string {
  const { runs } = snapshot
  if (runs.length === 0) return 'No sites have been submitted.\n'
  const lines = [...formatRollouts(snapshot), ...formatWorkers(snapshot)]
  return `${formatRuns(runs, snapshot.now, paint)}${lines.map(line => `${line}\n`).join('')}`
}

/** Formats runs, one per line, and their number by state. */
export function formatRuns(runs: readonly Run[], now: number, paint: Paint): string {
  const rows = runs.map(run => formatRunCells(run, { now }))
  return [...formatTextTable(runColumns, rows, paint), '', `${describeSites(runs)}.`, ''].join('\n')
}

/** Returns the next command for a person; `undefined` if no person must act. */
export function selectNextCommand({ runs, rollouts, workers }: FleetSnapshot): string | undefined {
  const [first] = runs.filter(
    ({ state }) => state === 'ambiguous' || state === 'failed' || state === 'refused',
  )
  if (first !== undefined) return `landform fleet history ${selectSiteName(first, runs)}`
  const stopped = rollouts.find(({ state }) => state === 'stopped')
  if (stopped !== undefined) return `landform fleet resume --rollout ${stopped.id}`
  const isStill = runs.some(run => canContinue(run, rollouts)) && workers.every(({ isSilent }) => isSilent)
  return isStill ? 'landform fleet worker' : undefined
}

function formatRollouts({ rollouts }: FleetSnapshot): readonly string[] {
  return rollouts.flatMap(formatRollout)
}

function formatRollout({ id, wave, waves, state }: Rollout): readonly string[] {
  if (state === 'running') return [`Rollout ${id}: wave ${wave} of ${waves} is running.`]
  if (state !== 'stopped') return []
  return [
    `Rollout ${id} stopped after wave ${wave} of ${waves}: a site did not succeed.`,
    `  landform fleet resume --rollout ${id}                starts such sites again, then continues`,
    `  landform fleet resume --rollout ${id} --skip-failed  continues without them`,
  ]
}

function formatWorkers({ now, runs, rollouts, workers }: FleetSnapshot): readonly string[] {
  if (workers.length === 0)
    return runs.some(run => canContinue(run, rollouts)) ? ['No worker is running.'] : []
  return workers.map(one => {
    const sites = runs.filter(({ state, worker }) => state === 'running' && worker === one.worker).length
    return `Worker ${display(one.worker, 100)}: ${sites} of ${one.limit} sites, ${formatLastSeen(one, now)}.`
  })
}

function formatLastSeen({ beatAt, isSilent }: WorkerStatus, now: number): string {
  const time = formatDuration(now - beatAt)
  return isSilent ? `silent for ${time}` : `last seen ${time} ago`
}

/** Returns the name of a site for the command line; its address if the name needs quotes or is not unique. */
function selectSiteName({ name, site }: Run, runs: readonly Run[]): string {
  const isItsAlone = runs.every(run => run.name !== name || run.site === site)
  return isItsAlone && /^[\w.][\w.-]*$/.test(name) ? name : site
}
