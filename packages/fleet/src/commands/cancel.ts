import {
  type ArgumentsOf,
  type ExitCode,
  exitCodes,
  type Failure,
  type fleetCancel,
  type Host,
  sayFailure,
} from 'landform/cli'
import { formatNumber } from 'landform/report'
import { hasEnded } from 'landform/sites'
import { readClock } from '../database/workers.js'
import type { Rollout, Run } from '../model/run.js'
import { formatRuns } from '../report/fleet-status.js'
import { confirmChanges } from './confirm-changes.js'
import type { FleetEngine, OpenEngine } from './fleet-engine.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { selectRuns } from './select-runs.js'

type CancelArguments = ArgumentsOf<typeof fleetCancel>

/** Cancels unfinished runs of sites. A request that was sent already continues on its service. */
export async function cancel(argv: CancelArguments, host: Host, openEngine: OpenEngine): Promise<ExitCode> {
  const refuse = async (failure: Failure) => sayFailure(host, failure, argv.color)
  const work = async (open: OpenFleet) => {
    const flag = { name: 'all', isGiven: argv.all }
    const chosen = await selectRuns({ ...argv, flag }, open.store)
    if (!chosen.ok) return refuse(chosen.error)
    const runs = await listOpenRuns(chosen.value.runs, argv.rollout, open)
    const rollouts = chosen.value.rollouts.filter(({ state }) => state === 'running' || state === 'stopped')
    if (runs.length + rollouts.length === 0) {
      host.stdout.print('Nothing to cancel: all of these have ended.\n')
      return exitCodes.done
    }
    const now = await readClock(open.database)
    const text = (paint: Parameters<typeof formatRuns>[2]) => formatRuns(runs, now, paint)
    const count = new Set(runs.map(({ site }) => site)).size
    const review = { count, question: 'Cancel', done: 'cancelled', targets: toStdout, text }
    const rejection = await confirmChanges(review, argv, host)
    if (rejection !== undefined) return refuse(rejection)
    const engine = await openEngine(open)
    try {
      const ended = await cancelRuns({ runs, rollouts }, open, engine)
      host.stdout.print(`${describeCancelled(ended)}\n`)
      if (ended.atWork > 0) host.stderr.print('next: landform fleet status\n')
      return exitCodes.done
    } finally {
      await engine.close()
    }
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}

const toStdout = [{ format: 'text', file: undefined }] as const

/** Returns every unfinished run of these sites, because one may wait behind another. */
async function listOpenRuns(newest: readonly Run[], rollout: string | undefined, { store }: OpenFleet) {
  const sites = new Set(newest.map(({ site }) => site))
  const states = ['waiting', 'queued', 'running'] as const
  const open = await store.runs({ states, generations: 'all', ...(rollout !== undefined && { rollout }) })
  return rollout === undefined ? open.filter(({ site }) => sites.has(site)) : open
}

interface CancelTargets {
  readonly runs: readonly Run[]
  readonly rollouts: readonly Rollout[]
}

interface CancelResult {
  readonly ended: number
  /** Number of runs at workers, which end them as soon as that is safe. */
  readonly atWork: number
}

/** Cancels rollouts first, so that they start no more sites. */
async function cancelRuns(
  { runs, rollouts }: CancelTargets,
  { store }: OpenFleet,
  engine: FleetEngine,
): Promise<CancelResult> {
  for (const { id, wave } of rollouts) await store.setRollout(id, { wave, state: 'cancelled' })
  const asked = await store.requestCancel(runs)
  const ended = asked.filter(({ state }) => hasEnded(state))
  await engine.withdraw(ended)
  return { ended: ended.length, atWork: asked.length - ended.length }
}

function describeCancelled({ ended, atWork }: CancelResult): string {
  const many = atWork === 1 ? 'is running and stops' : 'are running and stop'
  return [
    ...(ended === 0 && atWork > 0 ? [] : [`Cancelled ${formatNumber(ended, 'site')}.`]),
    ...(atWork === 0 ? [] : [`${formatNumber(atWork, 'site')} ${many} as soon as it is safe.`]),
  ].join(' ')
}
