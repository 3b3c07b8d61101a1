import {
  clipText,
  countCompleteStages,
  display,
  formatDuration,
  formatNumber,
  formatTextTable,
  type Paint,
  type Screen,
} from 'landform/report'
import { hasEnded, runStates } from 'landform/sites'
import { canContinue, type FleetSnapshot, type Rollout, type Run } from '../model/run.js'

const columns = ['site', 'state', 'progress', 'age', 'worker', 'retries', 'message'] as const

/** Longer messages are cut; the history of a site has the whole message, with its commands. */
const maxMessage = 120

/** Formats a fleet for people: its sites, their number by state, its rollouts that have not ended, and its workers. */
export function formatFleet(snapshot: FleetSnapshot, paint: Paint): string {
  const { runs, rollouts, now } = snapshot
  if (runs.length === 0) return 'No sites have been submitted.\n'
  const lines = [...rollouts.flatMap(formatRollout), ...formatWorkers(snapshot)]
  return `${formatRuns(runs, now, paint)}${lines.map(line => `${line}\n`).join('')}`
}

/** Formats runs, one per line, and their number by state. */
export function formatRuns(runs: readonly Run[], now: number, paint: Paint): string {
  const rows = runs.map(run => formatCells(run, now))
  return [...formatTextTable(columns, rows, paint), '', `${describeSites(runs)}.`, ''].join('\n')
}

/** Counts sites by state, those that need attention first: `4 sites: 1 failed, 3 done`. One with several runs counts once. */
function describeSites(runs: readonly Run[]): string {
  const counts = runStates.flatMap(state => {
    const count = runs.filter(run => run.state === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const sites = formatNumber(new Set(runs.map(({ site }) => site)).size, 'site')
  return counts.length === 0 ? sites : `${sites}: ${counts.join(', ')}`
}

function formatCells(run: Run, now: number): readonly string[] {
  const { name, state, worker = '-', retries, message = '', submittedAt, startedAt, endedAt } = run
  return [
    name,
    run.isCancelRequested && !hasEnded(state) ? 'cancelling' : state,
    describeProgress(run),
    formatDuration(now - (endedAt ?? startedAt ?? submittedAt)),
    worker,
    retries === 0 ? '-' : String(retries),
    state === 'done' ? '' : clipText(display(message, 500), maxMessage),
  ]
}

/** Describes the progress of a run: its phase with the number of completed stages, or the wave it waits for. */
export function describeProgress({ state, phase, stages, wave }: Run): string {
  if (state === 'waiting') return `wave ${wave}`
  if (state !== 'running') return '-'
  const through = stages.length === 0 ? '' : ` ${countCompleteStages(stages)}/${stages.length}`
  return `${phase ?? 'observe'}${through}`
}

function formatRollout({ id, wave, waves, state }: Rollout): readonly string[] {
  if (state === 'running') return [`Rollout ${id}: wave ${wave} of ${waves} is running.`]
  if (state !== 'stopped') return []
  return [
    `Rollout ${id} stopped after wave ${wave} of ${waves}: a site did not succeed.`,
    '  to start the unsuccessful sites again, then continue:',
    `    landform fleet resume --rollout ${id}`,
    '  to continue without them:',
    `    landform fleet resume --rollout ${id} --skip-failed`,
  ]
}

function formatWorkers({ now, runs, rollouts, workers }: FleetSnapshot): readonly string[] {
  if (workers.length === 0)
    return runs.some(run => canContinue(run, rollouts)) ? ['No worker is running.'] : []
  return workers.map(({ worker, limit, beatAt, isSilent }) => {
    const sites = runs.filter(run => run.state === 'running' && run.worker === worker).length
    const time = formatDuration(now - beatAt)
    const seen = isSilent ? `no heartbeat for ${time}` : `last seen ${time} ago`
    return `Worker ${display(worker, 100)}: ${sites} of ${limit} sites, ${seen}.`
  })
}

/** Returns the next command for a person; `undefined` if no person must act. */
export function selectNextCommand({ runs, rollouts, workers }: FleetSnapshot): string | undefined {
  const first = runs.find(({ state }) => state === 'ambiguous' || state === 'failed' || state === 'refused')
  // The address replaces a name that needs quotes. If several sites have the name, the command asks for an address.
  if (first !== undefined)
    return `landform fleet history ${/^[\w.][\w.-]*$/.test(first.name) ? first.name : first.site}`
  const stopped = rollouts.find(({ state }) => state === 'stopped')
  if (stopped !== undefined) return `landform fleet resume --rollout ${stopped.id}`
  const isStill = runs.some(run => canContinue(run, rollouts)) && workers.every(({ isSilent }) => isSilent)
  return isStill ? 'landform fleet worker' : undefined
}

/** The assumed height if a terminal reports none, and the lines without a site: header, two below the table, prompt. */
const fewRows = 20
const otherLines = 4

/** Formats a fleet for the size of a terminal: first runs that need attention, and the number of hidden ones. */
export function formatFleetScreen(
  { runs, now }: FleetSnapshot,
  { columns: width, rows }: Omit<Screen, 'paint'>,
): readonly string[] {
  const room = Math.max(1, (rows || fewRows) - otherLines)
  const shown = runs.slice(0, room).map(run => formatCells(run, now))
  const more = runs.length > room ? [`  … and ${runs.length - room} more`] : []
  const lines = [...formatTextTable(columns, shown), ...more, `  ${describeSites(runs)}`]
  return lines.map(line => clipText(line, width))
}

/** Formats the changes of sites between two polls, one per line; the first poll reports no changes. */
export function formatChanges(before: readonly Run[] | undefined, after: readonly Run[]): readonly string[] {
  if (before === undefined) return []
  const known = new Map(before.map(run => [run.site, describeRun(run)]))
  return after.filter(run => known.get(run.site) !== describeRun(run)).map(describeRun)
}

function describeRun(run: Run): string {
  const [name = '', state, at, , , retries, message = ''] = formatCells(run, 0)
  const retry = retries === '-' || run.state !== 'running' ? '-' : `retry ${retries}`
  const facts = [state, at, retry, message].filter(fact => fact !== '-' && fact !== '')
  return `[${display(name, 60)}] ${facts.join(', ')}`
}
