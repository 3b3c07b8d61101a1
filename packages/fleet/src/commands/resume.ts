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
import { isRepeatable } from 'landform/sites'
import type { FleetTables } from '../database/view.js'
import type { Rollout, Run } from '../model/run.js'
import {
  type Continuation,
  decideAfterWave,
  decideResumption,
  planContinuation,
  type Resumption,
  renumberWaves,
} from '../model/submission.js'
import { buildCommands } from '../workflow/ends.js'
import { openSiteState, withFleetDatabase } from './open-fleet.js'
import { confirmChanges, selectRuns } from './select.js'
import { createRollout } from './submit.js'

/** A site to resume, with the effect. */
interface ResumedSite {
  readonly run: Run
  readonly is: Resumption
}

/** Submits unsuccessful sites again, with their submitted manifests. A stopped rollout continues if it is named. */
export async function resume(argv: ArgumentsOf<typeof fleetResume>, host: Host): Promise<ExitCode> {
  const isSkipping = argv['skip-failed']
  if (isSkipping && argv.rollout === undefined)
    throw new UsageError('--skip-failed requires --rollout ID, the rollout to continue')
  return withFleetDatabase(argv, host, async open => {
    const chosen = await selectRuns({ ...argv, flag: { name: 'failed', isGiven: argv.failed } }, open.store)
    if (!chosen.ok) return chosen
    const { runs } = chosen.value
    const rollout = argv.rollout === undefined ? undefined : chosen.value.rollouts[0]
    const goesOn =
      rollout?.state === 'stopped' ? planContinuation(runs, { wave: rollout.wave, isSkipping }) : undefined
    if (rollout !== undefined && goesOn !== undefined && goesOn.wave > rollout.wave && !isSkipping) {
      const states = await open.store.waveStates(rollout.id, rollout.wave)
      if (decideAfterWave(states, false) !== 'goes-on')
        return { ok: false, error: failUnfinishedWave(rollout) }
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
      `${formatResumedSites(sites, paint)}${rollout && goesOn ? `${describeContinuation(rollout, goesOn, waiting)}.\n` : ''}`
    const rejection = await confirmChanges({ count, question: 'Resume', done: 'resumed', text }, argv, host)
    if (rejection !== undefined) return { ok: false, error: rejection }
    host.stdout.print(`${await resumeSites({ again, rollout, goesOn }, open, host)}\n`)
    if (count > 0) host.stderr.print('next: landform fleet status\n')
    return { ok: true, value: exitCodes.done }
  })
}

/** Reports a site that its rollout did not finish or restart, because it is ambiguous or in a later rollout. */
function failUnfinishedWave({ id, wave }: Rollout): Failure {
  return {
    exitCode: exitCodes.unknown,
    message: `wave ${wave} has a site that its rollout cannot start again, because it is ambiguous or was resumed separately; nothing was resumed`,
    next: `landform fleet status; to continue without such sites: landform fleet resume --rollout ${id} --skip-failed`,
  }
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
    const is = decideResumption(run, kept?.value?.submission)
    const message = `the service rejected configure of ${display(run.name)}, and another request needs consent; nothing was resumed`
    const next = suggestAfterRejection(buildCommands(run).apply)
    if (is === 'rejected') return { ok: false, error: { exitCode: exitCodes.unknown, message, next } }
    sites.push({ run, is })
  }
  return { ok: true, value: sites }
}

interface ResumeTargets {
  /** The runs that start again. */
  readonly again: readonly Run[]
  /** The rollout to continue, and its next steps if it was stopped. */
  readonly rollout: Rollout | undefined
  readonly goesOn: Continuation | undefined
}

/** Resumes sites and returns a message with the result. */
async function resumeSites(
  { again, rollout, goesOn }: ResumeTargets,
  { store }: FleetTables,
  host: Host,
): Promise<string> {
  if (rollout !== undefined && goesOn !== undefined) {
    const { wave, without } = goesOn
    const runs = await store.continueRollout(rollout.id, { wave, runs: again, without })
    return runs === undefined
      ? `Rollout ${rollout.id} is running already.`
      : `Rollout ${rollout.id} continues with wave ${wave} of ${rollout.waves}.`
  }
  if (again.length > 0) {
    const next = createRollout(host, rollout?.keepsGoing ?? false)
    const runs = renumberWaves(again)
    await store.submit({ rollout: next, runs })
    return `Resumed ${formatNumber(again.length, 'site')} as rollout ${next.id}.`
  }
  if (rollout?.state !== 'running') return 'Nothing was resumed.'
  return `Nothing was resumed: rollout ${rollout.id} is running already.`
}

function formatResumedSites(sites: readonly ResumedSite[], paint: Paint): string {
  if (sites.length === 0) return ''
  const rows = sites.map(({ run, is }) => [run.name, run.state, run.site, effectText[is]])
  const lines = formatTextTable(['site', 'state', 'address', 'resumption'], rows, paint)
  return `${lines.join('\n')}\n\n`
}

function describeContinuation({ id, wave, waves }: Rollout, goesOn: Continuation, waiting: number): string {
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
  rejected: 'needs consent',
} as const satisfies Record<Resumption, string>
