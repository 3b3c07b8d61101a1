import {
  type ArgumentsOf,
  type ExitCode,
  exitCodes,
  type Failure,
  type fleetResume,
  type Host,
  type paintFor,
  sayFailure,
  UsageError,
} from 'landform/cli'
import { formatNumber } from 'landform/report'
import { type Continuation, planContinuation, renumberWaves } from '../model/resumption.js'
import type { Rollout, Run } from '../model/run.js'
import { decideAfterWave } from '../model/waves.js'
import { formatResumePlan, type ResumePlan } from '../report/resumption.js'
import { confirmChanges } from './confirm-changes.js'
import type { FleetEngine, OpenEngine } from './fleet-engine.js'
import { createRollout } from './new-rollout.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { decideResumptions, selectRepeatable } from './resumptions.js'
import { selectRuns } from './select-runs.js'

type ResumeArguments = ArgumentsOf<typeof fleetResume>

/** Submits unsuccessful sites again, with their submitted manifests. A stopped rollout continues if it is named. */
export async function resume(argv: ResumeArguments, host: Host, openEngine: OpenEngine): Promise<ExitCode> {
  const isSkipping = argv['skip-failed']
  if (isSkipping && argv.rollout === undefined)
    throw new UsageError('--skip-failed requires --rollout ID, the rollout to continue')
  const refuse = async (failure: Failure) => sayFailure(host, failure, argv.color)
  const work = async (open: OpenFleet) => {
    const flag = { name: 'failed', isGiven: argv.failed }
    const chosen = await selectRuns({ ...argv, flag }, open.store)
    if (!chosen.ok) return refuse(chosen.error)
    const rollout = argv.rollout === undefined ? undefined : chosen.value.rollouts[0]
    const goesOn =
      rollout?.state === 'stopped'
        ? planContinuation(chosen.value.runs, { wave: rollout.wave, isSkipping })
        : undefined
    if (rollout !== undefined && goesOn !== undefined && goesOn.wave > rollout.wave && !isSkipping) {
      const states = await open.store.waveStates(rollout.id, rollout.wave)
      if (decideAfterWave(states, false) !== 'goes-on') return refuse(failUnfinishedWave(rollout))
    }
    const found =
      argv.sites.length > 0
        ? await decideResumptions(chosen.value.runs, open, host)
        : ({
            ok: true,
            value: goesOn?.sites ?? (isSkipping ? [] : selectRepeatable(chosen.value.runs)),
          } as const)
    if (!found.ok) return refuse(found.error)
    const waiting = chosen.value.runs.filter(({ state }) => state === 'waiting').length
    const stopped = rollout && goesOn && { ...rollout, goesOnWith: goesOn.wave, waiting }
    const toResume: ResumePlan = { sites: found.value, ...(stopped !== undefined && { stopped }) }
    const again = found.value.filter(({ is }) => is === 'again' || is === 'watch').map(({ run }) => run)
    const count = again.length + (stopped === undefined ? 0 : waiting)
    const text = (paint: ReturnType<typeof paintFor>) => formatResumePlan(toResume, paint)
    const review = { count, question: 'Resume', done: 'resumed', targets: toStdout, text }
    const rejection = await confirmChanges(review, argv, host)
    if (rejection !== undefined) return refuse(rejection)
    const engine = await openEngine(open)
    try {
      host.stdout.print(`${await resumeSites({ again, rollout, goesOn }, { open, engine, host })}\n`)
    } finally {
      await engine.close()
    }
    if (count > 0) host.stderr.print('next: landform fleet status\n')
    return exitCodes.done
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}

/** Reports a site that its rollout did not finish or restart, because it is ambiguous or in a later rollout. */
function failUnfinishedWave({ id, wave }: Rollout): Failure {
  return {
    exitCode: exitCodes.unknown,
    message: `wave ${wave} has a site that its rollout cannot start again, because it is ambiguous or was resumed separately; nothing was resumed`,
    next: `landform fleet status; to continue without such sites: landform fleet resume --rollout ${id} --skip-failed`,
  }
}

const toStdout = [{ format: 'text', file: undefined }] as const

interface ResumeTargets {
  /** The runs that start again. */
  readonly again: readonly Run[]
  /** The rollout to continue, and its next steps if it was stopped. */
  readonly rollout: Rollout | undefined
  readonly goesOn: Continuation | undefined
}

interface ResumeContext {
  readonly open: OpenFleet
  readonly engine: FleetEngine
  readonly host: Host
}

/** Resumes sites and returns a message with the result. */
async function resumeSites(
  { again, rollout, goesOn }: ResumeTargets,
  { open, engine, host }: ResumeContext,
): Promise<string> {
  const { store } = open
  if (rollout !== undefined && goesOn !== undefined) {
    const { wave, without } = goesOn
    const runs = await store.continueRollout(rollout.id, { wave, runs: again, without })
    await engine.resumeRollout(rollout.id)
    return runs === undefined
      ? `Rollout ${rollout.id} is running already.`
      : `Rollout ${rollout.id} continues with wave ${wave} of ${rollout.waves}.`
  }
  if (again.length > 0) {
    const next = createRollout(host, rollout?.keepsGoing ?? false)
    const enqueue: Parameters<typeof store.submit>[0]['enqueue'] = client =>
      engine.enqueueRollout(client, next.id)
    await store.submit({ rollout: next, runs: renumberWaves(again), enqueue })
    return `Resumed ${formatNumber(again.length, 'site')} as rollout ${next.id}.`
  }
  if (rollout?.state !== 'running') return 'Nothing was resumed.'
  // A killed command may have recorded that the rollout continues, and nothing else.
  await engine.resumeRollout(rollout.id)
  return `Nothing was resumed: rollout ${rollout.id} is running already.`
}
