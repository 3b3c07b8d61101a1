import {
  type ArgumentsOf,
  type ExitCode,
  exitCodes,
  type fleetCancel,
  type Host,
  paintFor,
} from 'landform/cli'
import { formatNumber, type Paint } from 'landform/report'
import { hasEnded } from 'landform/sites'
import { readClock } from '../database/view.js'
import { formatRuns } from '../report/fleet-status.js'
import { type CommandEnd, withFleetDatabase } from './open-fleet.js'
import { confirmChanges, selectRuns } from './select.js'

const unfinishedStates = ['waiting', 'queued', 'running'] as const

/** Cancels unfinished runs of sites. A request that was sent already continues on its service. */
export function cancel(argv: ArgumentsOf<typeof fleetCancel>, host: Host): Promise<ExitCode> {
  const done: CommandEnd = { ok: true, value: exitCodes.done }
  return withFleetDatabase(argv, host, async open => {
    const { store } = open
    const chosen = await selectRuns(argv, store)
    if (!chosen.ok) return chosen
    // Every unfinished run of these sites, because one may wait behind another.
    const sites = new Set(chosen.value.runs.map(({ site }) => site))
    const unfinished = await store.runs({
      states: unfinishedStates,
      generations: 'all',
      rollout: argv.rollout,
    })
    const runs = unfinished.filter(({ site }) => argv.rollout !== undefined || sites.has(site))
    const rollouts = chosen.value.rollouts.filter(({ state }) => state === 'running' || state === 'stopped')
    if (runs.length + rollouts.length === 0) {
      host.stdout.print('Nothing to cancel: the selected sites and rollouts have ended.\n')
      return done
    }
    const now = await readClock(open.database)
    const count = new Set(runs.map(({ site }) => site)).size
    const subject = count > 0 ? formatNumber(count, 'site') : formatNumber(rollouts.length, 'rollout')
    // Without a question, only the table after cancelling is shown.
    const text = (paint: Paint) => (argv.yes || runs.length === 0 ? '' : formatRuns(runs, now, paint))
    const review = { count: count + rollouts.length, subject, question: 'Cancel', done: 'cancelled', text }
    const rejection = await confirmChanges(review, argv, host)
    if (rejection !== undefined) return { ok: false, error: rejection }
    const ids = rollouts.map(({ id }) => id)
    const cancelled = await store.cancel(runs, ids)
    const atWork = cancelled.filter(({ state }) => !hasEnded(state)).length
    if (cancelled.length > 0) host.stdout.print(formatRuns(cancelled, now, paintFor('stdout', argv.color)))
    host.stdout.print(`${describeCancelled(cancelled.length - atWork, atWork, rollouts.length)}\n`)
    if (atWork > 0) host.stderr.print('next: landform fleet status\n')
    return done
  })
}

function describeCancelled(ended: number, atWork: number, rollouts: number): string {
  if (ended + atWork === 0) return `Cancelled ${formatNumber(rollouts, 'rollout')}.`
  const many = atWork === 1 ? 'is running and stops' : 'are running and stop'
  return [
    ...(ended === 0 && atWork > 0 ? [] : [`Cancelled ${formatNumber(ended, 'site')}.`]),
    ...(atWork === 0 ? [] : [`${formatNumber(atWork, 'site')} ${many} as soon as it is safe.`]),
  ].join(' ')
}
