import type { WaitOptions } from '../../apply/clock.js'
import type { Outcome, Receipt } from '../../apply/outcome.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { defaultPollMs } from '../../library/follow-site.js'
import { defaultLifetimeMs } from '../../library/make-plan.js'
import { performPlan } from '../../library/perform-plan.js'
import { addPlace } from '../../manifest/field-places.js'
import { countUnrecorded, type Plan } from '../../plan/plan.js'
import { endOfApply } from '../../report/endings/apply.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { suggestRecord } from '../../report/plan-words.js'
import type { JsonPointer } from '../../schema/pointer.js'
import type { Host } from '../host.js'
import { parseDuration } from '../options.js'
import type { StopSignal } from '../terminal/interaction.js'
import { drain, observeSleeps, type ProgressView } from '../terminal/progress.js'
import { nextCommands, type TypedCommands } from './next-commands.js'
import { waitUntilUp } from './read-site.js'
import type { ApplyArguments, PlannedSession, PlanResult, SiteSession } from './session.js'
import type { WorkContext } from './site-command.js'

/** The options of an apply. */
export interface ApplyRequest {
  readonly argv: ApplyArguments
  readonly ignored: readonly JsonPointer[]
  readonly waitOptionsFor: Performing['waitOptionsFor']
}

/** Makes the plan of an apply once the site is up, or checks that a saved one is still valid. */
export async function planToApply(
  session: PlannedSession,
  { host, stop }: Pick<WorkContext, 'host' | 'stop'>,
  { argv, ignored }: ApplyRequest,
): Promise<PlanResult> {
  const { signal } = stop
  const notUp = await waitUntilUp(session, host, { argv, signal })
  if (notUp !== undefined) return { ok: false, error: notUp }
  // A plan made while another run holds the lock would be stale afterwards.
  if (parseDuration('lock-timeout', argv['lock-timeout']) > 0) await session.state.whenFree()
  const made = await session.plan({ ignored, lifetimeMs: defaultLifetimeMs, signal })
  return signal.aborted ? { ok: false, error: { exitCode: stop.exitCode(), message: 'interrupted' } } : made
}

interface Performing {
  readonly argv: ApplyArguments
  readonly progress: readonly ProgressView[]
  readonly stop: Pick<StopSignal, 'signal' | 'exitCode'>
  waitOptionsFor(pollMs: number): WaitOptions
  /** True if a person confirmed despite an earlier rejection. */
  readonly saidYes?: boolean
}

/** A performed plan: the receipt, the exit code and the next steps. */
export interface Performed {
  readonly receipt: Receipt
  readonly exitCode: ExitCode
  readonly next: readonly string[]
}

/** Performs a plan, and shows its progress. */
export async function performSessionPlan(
  plan: Plan,
  session: PlannedSession,
  host: Host,
  { argv, progress, stop, waitOptionsFor, saidYes = false }: Performing,
): Promise<Performed> {
  const { url, saved } = session
  const applyPorts = { clock: observeSleeps(host.clock, progress), random: host.random }
  const options = {
    ...waitOptionsFor(defaultPollMs(url)),
    detach: argv.detach,
    checkLicense: !argv['no-license-check'],
    resubmitAfterRejection: argv['resubmit-after-rejection'] || saidYes,
    signal: stop.signal,
    ...(saved !== undefined && { planId: saved.id }),
  }
  try {
    const receipt = await drain(performPlan(plan, { site: session, applyPorts }, options), event => {
      for (const one of progress) one.show(event)
    })
    const { exitCode } = endOfApply(receipt.outcome)
    return {
      receipt,
      exitCode: exitCode === exitCodes.interrupted ? stop.exitCode() : exitCode,
      next: suggestNext(plan, receipt, { session, argv }),
    }
  } finally {
    for (const one of progress) one.end()
  }
}

function suggestNext(
  { fields }: Plan,
  { outcome }: Receipt,
  { session, argv }: { readonly session: PlannedSession; readonly argv: ApplyArguments },
): readonly string[] {
  if (argv.emulate) return []
  return outcome.kind === 'done' && countUnrecorded(fields) > 0
    ? suggestRecord(session.commands.adopt)
    : endOfApply(outcome).next(commandsAfter(outcome, session, argv))
}

/** Chooses the commands of the next steps: a saved plan that was not used can be performed again. */
function commandsAfter(
  { kind }: Outcome,
  { saved, file, given }: PlannedSession,
  argv: ApplyArguments,
): TypedCommands {
  const commands = nextCommands({ ...argv, file })
  const isUnused = saved !== undefined && given !== file && (kind === 'locked' || kind === 'references')
  return isUnused ? { ...commands, apply: commands.perform(given) } : commands
}

/** Lists the secrets and files that an apply found missing or invalid. */
export function listReferences(
  outcome: Outcome,
  { manifest }: Pick<SiteSession, 'manifest'>,
): readonly Diagnostic[] {
  return outcome.kind === 'references' ? outcome.diagnostics.map(one => addPlace(manifest, one)) : []
}
