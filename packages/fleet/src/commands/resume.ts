import type { Result } from 'landform'
import {
  type ArgumentsOf,
  type ExitCode,
  exitCodes,
  type Failure,
  type fleetResume,
  type Host,
  toStateFailure,
  UsageError,
} from 'landform/cli'
import { display, formatNumber, formatTextTable, type Paint, suggestAfterRejection } from 'landform/report'
import { hasEnded, isRepeatable } from 'landform/sites'
import { isPending } from 'landform/state'
import type { FleetTables } from '../database/view.js'
import type { Rollout, Run } from '../model/run.js'
import {
  type Continuation,
  decideAfterWave,
  planContinuation,
  type ResumedSite,
} from '../model/submission.js'
import { buildCommands } from '../workflow/ends.js'
import { openSiteState, withFleetDatabase } from './open-fleet.js'
import { confirmChanges, selectRuns } from './select.js'
import { createRollout } from './submit.js'

/** Submits unsuccessful sites again, with their submitted manifests. A stopped rollout continues if it is named. */
export async function resume(argv: ArgumentsOf<typeof fleetResume>, host: Host): Promise<ExitCode> {
  const isSkipping = argv['skip-failed']
  if (isSkipping && argv.rollout === undefined)
    throw new UsageError('--skip-failed requires --rollout ID, the rollout to continue')
  return withFleetDatabase(argv, host, async open => {
    const chosen = await selectRuns(argv, open.store)
    if (!chosen.ok) return chosen
    const { runs } = chosen.value
    const rollout = argv.rollout === undefined ? undefined : chosen.value.rollouts[0]
    const goesOn = rollout?.state === 'stopped' ? planContinuation(runs, rollout, isSkipping) : undefined
    if (goesOn !== undefined && goesOn.wave > goesOn.rollout.wave && !isSkipping) {
      const { id, wave } = goesOn.rollout
      const states = await open.store.waveStates(id, wave)
      if (decideAfterWave(states, false) !== 'goes-on')
        return fail(
          `wave ${wave} has a site that its rollout cannot start again, because it is ambiguous or was resumed separately; nothing was resumed`,
          `landform fleet status; to continue without such sites: landform fleet resume --rollout ${id} --skip-failed`,
        )
    }
    const repeatable = isSkipping ? [] : runs.filter(({ state }) => isRepeatable(state))
    const found: Result<readonly ResumedSite[], Failure> =
      argv.sites.length > 0
        ? await decideResumptions(runs, open, host)
        : { ok: true, value: goesOn?.sites ?? repeatable.map(run => ({ run, is: 'again' })) }
    if (!found.ok) return found
    const sites = found.value
    const waiting = goesOn === undefined ? 0 : runs.filter(({ state }) => state === 'waiting').length
    const again = sites.filter(({ is }) => is === 'again' || is === 'watch').map(({ run }) => run)
    const count = again.length + waiting
    const text = (paint: Paint) =>
      `${formatResumedSites(sites, paint)}${goesOn ? `${describeContinuation(goesOn, waiting)}.\n` : ''}`
    const rejection = await confirmChanges({ count, question: 'Resume', done: 'resumed', text }, argv, host)
    if (rejection !== undefined) return { ok: false, error: rejection }
    const result = goesOn
      ? await continueRollout(goesOn, again, open)
      : await startAgain(again, rollout, open, host)
    host.stdout.print(`${result}\n`)
    if (count > 0) host.stderr.print('next: landform fleet status\n')
    return { ok: true, value: exitCodes.done }
  })
}

function fail(message: string, next: string): Result<never, Failure> {
  return { ok: false, error: { exitCode: exitCodes.unknown, message, next: [next] } }
}

/**
 * Decides the effect of resuming the named sites. A site whose service rejected its request makes the whole command fail:
 * another request needs the consent that `landform apply` asks for.
 */
async function decideResumptions(
  runs: readonly Run[],
  open: FleetTables,
  host: Host,
): Promise<Result<readonly ResumedSite[], Failure>> {
  const sites: ResumedSite[] = []
  for (const run of runs) {
    const kept = run.state === 'ambiguous' ? await openSiteState(run.site, open, host).read() : undefined
    if (kept?.ok === false) return { ok: false, error: toStateFailure(kept.error) }
    const { submission } = kept?.value ?? {}
    if (submission?.state === 'rejected')
      return fail(
        `the service rejected configure of ${display(run.name)}, and another request needs consent; nothing was resumed`,
        suggestAfterRejection(buildCommands(run).apply),
      )
    const next = submission !== undefined && isPending(submission) ? 'watch' : 'again'
    sites.push({ run, is: !hasEnded(run.state) ? 'goes-on' : run.state === 'done' ? 'done' : next })
  }
  return { ok: true, value: sites }
}

async function continueRollout(
  { rollout: { id, waves }, wave, without }: Continuation,
  runs: readonly Run[],
  { store }: FleetTables,
): Promise<string> {
  if ((await store.continueRollout(id, wave, runs, without)) === undefined)
    return `Rollout ${id} is running already.`
  return `Rollout ${id} continues with wave ${wave} of ${waves}.`
}

async function startAgain(
  again: readonly Run[],
  former: Rollout | undefined,
  { store }: FleetTables,
  host: Host,
): Promise<string> {
  if (again.length === 0)
    return `Nothing was resumed${former?.state === 'running' ? `: rollout ${former.id} is running already` : ''}.`
  const rollout = createRollout(host, former?.keepsGoing ?? false)
  const waves = [...new Set(again.map(({ wave }) => wave))].toSorted((a, b) => a - b)
  const runs = again.map(run => ({ ...run, wave: waves.indexOf(run.wave) + 1 }))
  const resumed = (await store.submit(rollout, runs)).filter(({ is }) => is !== 'same').length
  if (resumed === 0) return 'Nothing was resumed: others were faster.'
  return `Resumed ${formatNumber(resumed, 'site')} as rollout ${rollout.id}.`
}

function formatResumedSites(sites: readonly ResumedSite[], paint: Paint): string {
  if (sites.length === 0) return ''
  const rows = sites.map(({ run, is }) => [run.name, run.state, run.site, effectText[is]])
  const lines = formatTextTable(['site', 'state', 'address', 'resumption'], rows, paint)
  return `${lines.join('\n')}\n\n`
}

function describeContinuation(goesOn: Continuation, waiting: number): string {
  const { id, wave, waves } = goesOn.rollout
  const rest = `${formatNumber(waiting, 'site')} that ${waiting === 1 ? 'waits' : 'wait'}`
  if (goesOn.wave === wave)
    return `Rollout ${id} continues with ${rest}, once all of wave ${wave} have succeeded`
  const next = `Rollout ${id} continues with wave ${goesOn.wave} of ${waves} and ${rest}, regardless of the results of wave ${wave}`
  return goesOn.wave < waves ? `${next}; it stops again after a wave with a site that did not succeed` : next
}

const effectText = {
  again: 'starts again',
  watch: 'watches for the result of configure; sends no request',
  'goes-on': 'is running already',
  done: 'is done',
  left: 'is left as it is',
} as const satisfies Record<ResumedSite['is'], string>
