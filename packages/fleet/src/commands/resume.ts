import type { Result, SiteState } from 'landform'
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
    const unsuccessful = isSkipping
      ? []
      : runs.filter(({ state }) => state === 'failed' || state === 'ambiguous')
    const read = await readSubmissions(unsuccessful, open, host)
    if (!read.ok) return read
    const named = argv.sites.length > 0
    const decide = (run: Run) =>
      isSkipping ? 'left' : decideResumption(run, read.value.get(run.site), named)
    const goesOn = rollout?.state === 'stopped' ? planContinuation(runs, rollout, decide) : undefined
    if (goesOn !== undefined && goesOn.wave > goesOn.rollout.wave && !isSkipping) {
      const { id, wave } = goesOn.rollout
      const states = await open.store.waveStates(id, wave)
      if (decideAfterWave(states, false) !== 'goes-on')
        return fail(
          `wave ${wave} has a site that cannot start again with its rollout: it is ambiguous, was rejected, or was resumed separately; nothing was resumed`,
          `landform fleet status; to continue without such sites: landform fleet resume --rollout ${id} --skip-failed`,
        )
    }
    const rejected = named ? runs.find(run => decide(run) === 'rejected') : undefined
    if (rejected !== undefined)
      return fail(
        `the service rejected an earlier configure of ${display(rejected.name)}: another request needs consent; nothing was resumed`,
        suggestAfterRejection(buildCommands(rejected).apply),
      )
    const repeatable = runs.filter(({ state }) => named || (isRepeatable(state) && !isSkipping))
    const sites = goesOn?.sites ?? repeatable.map(run => ({ run, is: decide(run) }))
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

/** Reads the recorded submission of each site. After a rejection, another request needs consent, as with `landform apply`. */
async function readSubmissions(
  runs: readonly Run[],
  open: FleetTables,
  host: Host,
): Promise<Result<ReadonlyMap<string, SiteState['submission']>, Failure>> {
  const submissions = new Map<string, SiteState['submission']>()
  for (const { site } of runs) {
    const kept = await openSiteState(site, open, host).read()
    if (!kept.ok) return { ok: false, error: toStateFailure(kept.error) }
    submissions.set(site, kept.value?.submission)
  }
  return { ok: true, value: submissions }
}

/** Decides the effect of resuming a site. Only if it is named may a request with an unknown outcome be under way. */
function decideResumption(
  { state }: Run,
  submission: SiteState['submission'],
  isNamed: boolean,
): ResumedSite['is'] {
  if (!hasEnded(state)) return 'goes-on'
  if (state === 'done') return 'done'
  if (!isNamed && !isRepeatable(state)) return 'left'
  if (submission?.state === 'rejected') return 'rejected'
  return isNamed && submission !== undefined && isPending(submission) ? 'watch' : 'again'
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
  if (resumed === 0) return 'Nothing was resumed: another command resumed or submitted the sites first.'
  return `Resumed ${formatNumber(resumed, 'site')} as rollout ${rollout.id}.`
}

function formatResumedSites(sites: readonly ResumedSite[], paint: Paint): string {
  if (sites.length === 0) return ''
  const rows = sites.map(({ run, is }) => [run.name, run.state, run.site, effectText[is]])
  const lines = formatTextTable(['site', 'state', 'address', 'action'], rows, paint)
  return `${lines.join('\n')}\n\n`
}

function describeContinuation(goesOn: Continuation, waiting: number): string {
  const { id, wave, waves } = goesOn.rollout
  const rest = formatNumber(waiting, 'waiting site')
  if (goesOn.wave === wave)
    return `Rollout ${id} continues with ${rest} once every site of wave ${wave} has succeeded`
  const next = `Rollout ${id} continues with wave ${goesOn.wave} of ${waves} and ${rest}, regardless of the results of wave ${wave}`
  return goesOn.wave < waves ? `${next}; it stops again after a wave in which a site does not succeed` : next
}

const effectText = {
  again: 'starts again',
  watch: 'waits for the result of configure; sends no request',
  'goes-on': 'has not ended',
  done: 'is done',
  left: 'stays as it is',
  rejected: 'was rejected: another request needs consent',
} as const satisfies Record<ResumedSite['is'], string>
