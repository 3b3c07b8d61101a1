import type { ArgumentsOf } from '../../../../src/cli/command.js'
import type { fleetResume } from '../../../../src/cli/declarations/fleet.js'
import { type ExitCode, exitCodes } from '../../../../src/cli/exit-code.js'
import type { Host } from '../../../../src/cli/host.js'
import { type Failure, type paintFor, sayFailure } from '../../../../src/cli/terminal/output.js'
import { UsageError } from '../../../../src/cli/usage-error.js'
import { several } from '../../../../src/report/plan/plan-words.js'
import { type Continuation, continuationOf, inWavesAnew } from '../model/resumption.js'
import type { Rollout, Run } from '../model/run.js'
import { formatToResume, type ToResume } from '../report/resumption.js'
import { afterWave } from '../workflow/after-wave.js'
import { chosenRuns } from './chosen-runs.js'
import type { FleetEngine, OpenEngine } from './fleet-engine.js'
import { newRollout } from './new-rollout.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { repeatedAmong, resumptionsOf } from './resumptions.js'
import { reviewed } from './reviewed.js'

type ResumeArguments = ArgumentsOf<typeof fleetResume>

/** Submits unsuccessful sites again, with their submitted manifests. A stopped rollout continues if it is named. */
export async function resume(argv: ResumeArguments, host: Host, openEngine: OpenEngine): Promise<ExitCode> {
  const isSkipping = argv['skip-failed']
  if (isSkipping && argv.rollout === undefined)
    throw new UsageError('--skip-failed requires --rollout ID, the rollout to continue')
  const refuse = async (failure: Failure) => sayFailure(host, failure, argv.color)
  const work = async (open: OpenFleet) => {
    const flag = { name: 'failed', isGiven: argv.failed }
    const chosen = await chosenRuns({ ...argv, flag }, open.store)
    if (!chosen.ok) return refuse(chosen.error)
    const rollout = argv.rollout === undefined ? undefined : chosen.value.rollouts[0]
    const goesOn =
      rollout?.state === 'stopped'
        ? continuationOf(chosen.value.runs, { wave: rollout.wave, isSkipping })
        : undefined
    if (rollout !== undefined && goesOn !== undefined && goesOn.wave > rollout.wave && !isSkipping) {
      const counts = await open.store.waveCounts(rollout.id, rollout.wave)
      if (afterWave(counts, false) !== 'goes-on') return refuse(unsettledIn(rollout))
    }
    const found =
      argv.sites.length > 0
        ? await resumptionsOf(chosen.value.runs, open, host)
        : ({
            ok: true,
            value: goesOn?.sites ?? (isSkipping ? [] : repeatedAmong(chosen.value.runs)),
          } as const)
    if (!found.ok) return refuse(found.error)
    const waiting = chosen.value.runs.filter(({ state }) => state === 'waiting').length
    const stopped = rollout && goesOn && { ...rollout, goesOnWith: goesOn.wave, waiting }
    const toResume: ToResume = { sites: found.value, ...(stopped !== undefined && { stopped }) }
    const again = found.value.filter(({ is }) => is === 'again' || is === 'watch').map(({ run }) => run)
    const count = again.length + (stopped === undefined ? 0 : waiting)
    const text = (paint: ReturnType<typeof paintFor>) => formatToResume(toResume, paint)
    const review = { count, question: 'Resume', done: 'resumed', targets: toStdout, text }
    const refusal = await reviewed(review, argv, host)
    if (refusal !== undefined) return refuse(refusal)
    const engine = await openEngine(open)
    try {
      host.stdout.write(`${await resumed({ again, rollout, goesOn }, { open, engine, host })}\n`)
    } finally {
      await engine.close()
    }
    if (count > 0) host.stderr.write('next: landform fleet status\n')
    return exitCodes.done
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}

/** Reports a site that is neither done nor restarted by its rollout, because it is ambiguous or in a later rollout. */
function unsettledIn({ id, wave }: Rollout): Failure {
  return {
    exitCode: exitCodes.unknown,
    message: `wave ${wave} has a site that its rollout cannot start again, because it is ambiguous or was resumed separately; nothing was resumed`,
    next: `landform fleet status; to continue without such sites: landform fleet resume --rollout ${id} --skip-failed`,
  }
}

const toStdout = [{ format: 'text', file: undefined }] as const

interface Wanted {
  /** The runs that start again. */
  readonly again: readonly Run[]
  /** The rollout to continue, and its next steps if it was stopped. */
  readonly rollout: Rollout | undefined
  readonly goesOn: Continuation | undefined
}

interface Means {
  readonly open: OpenFleet
  readonly engine: FleetEngine
  readonly host: Host
}

/** Resumes sites and returns a message with the result. */
async function resumed({ again, rollout, goesOn }: Wanted, { open, engine, host }: Means): Promise<string> {
  const { store } = open
  if (rollout !== undefined && goesOn !== undefined) {
    const { wave, without } = goesOn
    const runs = await store.goOn(rollout.id, { wave, runs: again, without })
    await engine.resumeRollout(rollout.id)
    return runs === undefined
      ? `Rollout ${rollout.id} is running already.`
      : `Rollout ${rollout.id} continues with wave ${wave} of ${rollout.waves}.`
  }
  if (again.length > 0) {
    const next = newRollout(host, rollout?.keepsGoing ?? false)
    const enqueue: Parameters<typeof store.submit>[0]['enqueue'] = client =>
      engine.enqueueRollout(client, next.id)
    await store.submit({ rollout: next, runs: inWavesAnew(again), enqueue })
    return `Resumed ${several(again.length, 'site')} as rollout ${next.id}.`
  }
  if (rollout?.state !== 'running') return 'Nothing was resumed.'
  // A killed command may have recorded that the rollout continues, and nothing else.
  await engine.resumeRollout(rollout.id)
  return `Nothing was resumed: rollout ${rollout.id} is running already.`
}
