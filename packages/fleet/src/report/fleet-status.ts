import {
  clipText,
  countCompleteStages,
  describeSites,
  display,
  formatDuration,
  formatTextTable,
  type Paint,
  type Screen,
} from 'landform/report'
import { canContinue, type FleetSnapshot, type Rollout, type Run, type WorkerStatus } from '../model/run.js'

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

/** Lines below the table, and one for the prompt. */
const otherLines = 3
/** Height of a terminal that does not report it. */
const fewRows = 20

/**
 * Formats a fleet for the size of a terminal: first runs that need attention or are running, and the number of hidden ones.
 */
export function formatFleetScreen(
  snapshot: FleetSnapshot,
  { paint, columns, rows }: Screen,
): readonly string[] {
  const room = Math.max(1, (rows === 0 ? fewRows : rows) - otherLines - 1)
  const shown = snapshot.runs.slice(0, room)
  const lines = formatTextTable(
    runColumns,
    shown.map(run => formatRunCells(run, snapshot)),
  ).map(line => clipText(line, columns))
  const [head = '', ...body] = lines
  const hidden = snapshot.runs.length - shown.length
  return [
    paint('dim', head),
    ...body,
    ...(hidden > 0 ? [clipText(`  … and ${hidden} more`, columns)] : []),
    paint('dim', clipText(`  ${describeSites(snapshot.runs)}`, columns)),
  ]
}

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

/** Formats the changes of sites between two polls, one per line; the first poll reports no changes. */
export function formatChanges(before: readonly Run[] | undefined, after: readonly Run[]): readonly string[] {
  const known = new Map(before?.map(run => [run.site, describeRun(run)]))
  return after.flatMap(run => {
    const words = describeRun(run)
    return before === undefined || known.get(run.site) === words
      ? []
      : [`[${display(run.name, 60)}] ${words}`]
  })
}

function describeRun(run: Run): string {
  const { state, message = '', retries } = run
  const place = describeProgress(run)
  const parts = [
    state,
    ...(place === '-' ? [] : [place]),
    ...(state === 'running' && retries > 0 ? [`retried ${retries === 1 ? 'once' : `${retries} times`}`] : []),
    ...(message === '' || state === 'done' ? [] : [display(message, 300)]),
  ]
  return parts.join(', ')
}
