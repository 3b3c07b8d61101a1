import type { StageRecord } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import { isPending, mayBeOurs, type StageTiming, type Submission } from '../plan/submission.js'
import { wipeAll } from '../secrets/resolve.js'
import { selectTypicalTimings } from './estimate.js'
import type { ApplyEvent } from './event.js'
import { buildSubmissionEntry, withSubmissionState } from './journal.js'
import type { Outcome, UnknownReason, WaitEnd } from './outcome.js'
import type { Context } from './ports.js'
import { submitConfiguration } from './submit-configuration.js'
import { type SiteMark, selectMark } from './wait/site-mark.js'
import { waitUntilReady } from './wait-until-ready.js'

/**
 * Creates the organization, or resumes the wait for one that is being created. The request is sent once at most; whatever
 * its outcome, the site is only polled from then on. Service §4.3.
 */
export async function* configureSite(
  action: Configure,
  context: Context,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { submission } = context.held.content
  const { version: planned, build } = context.binds.site
  let marks = [selectMark({ ...(planned !== null && { version: planned }), ...(build && { build }) })]
  if (action.change === 'no-op') {
    if (submission === undefined || submission.state === 'ready' || !mayBeOurs(submission))
      return { kind: 'done' }
    // An earlier run ended before it saw the site ready, and the one look of the plan may have met a node that is ahead.
    return yield* followConfiguration({ stages: [], accepted: true, marks }, context)
  }
  let stages: readonly StageRecord[] = []
  let accepted = submission === undefined || !isPending(submission) || submission.state === 'acknowledged'
  if (action.change === 'create') {
    const submitted = yield* submitConfiguration(action, context)
    // What follows may take hours, and needs none of them.
    wipeAll(context.secrets)
    if (submitted.kind === 'ended') return submitted.outcome
    accepted = submitted.kind === 'accepted'
    marks = [...marks, selectMark(submitted.before)]
    if (submitted.kind === 'accepted') {
      stages = submitted.observed.stages
      yield { type: 'stages-changed', changed: [], stages, elapsedMs: 0 }
    }
  }
  if (context.options.detach && accepted) return yield* recordProgress('detached', context)
  return yield* followConfiguration({ stages, accepted, marks }, context)
}

interface FollowedConfiguration {
  /** The stages as they were before the first poll. */
  readonly stages: readonly StageRecord[]
  /** True if the service is known to have accepted the configuration. */
  readonly accepted: boolean
  /** By what the site was known before, in order. */
  readonly marks: readonly SiteMark[]
}

/** Waits for a configuration that was submitted, by whomever, and notes what becomes of it; only ever reads the site. */
async function* followConfiguration(
  { stages, accepted, marks }: FollowedConfiguration,
  context: Context,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { client, options, clock, held, random } = context
  const { submission } = held.content
  const estimate = selectTypicalTimings(await context.state.timings())
  const begun = submission?.state === 'begun'
  const waiting = { reader: client, clock, waitOptions: options, random, stages, begun, marks, estimate }
  const wait = waitUntilReady(waiting, options.signal)
  let isKnown = accepted
  for (;;) {
    const step = await wait.next()
    if (step.done === true) return yield* recordEnd(step.value, isKnown, context)
    yield step.value
    // A lease that cannot be renewed is told at the end: looking on does no harm.
    await held.renew()
    if (step.value.type !== 'configure-begun') continue
    isKnown = true
    yield* recordBegun(context)
  }
}

/** The site shows the configuration: of a request whose outcome was open, that settles it. */
async function* recordBegun({ held, clock }: Context): AsyncGenerator<ApplyEvent, void> {
  const { submission } = held.content
  if (submission === undefined || !isPending(submission)) return
  if (submission.state !== 'acknowledged') yield { type: 'submission-adopted' }
  await held.write(buildSubmissionEntry('begun'), content =>
    withSubmissionState(content, { state: 'begun', now: clock.now() }),
  )
}

async function* recordEnd(
  end: WaitEnd,
  accepted: boolean,
  context: Context,
): AsyncGenerator<ApplyEvent, Outcome> {
  switch (end.kind) {
    case 'ready':
      return yield* recordProgress('ready', context, {
        timings: selectTimings(end.timings, context.options.timings),
      })
    case 'failed': {
      const { message = '', stages } = end.observed
      const noted = yield* recordProgress('failed', context, { reason: message })
      return noted.kind === 'done' ? { kind: 'site-failed', message, stages } : noted
    }
    default:
      return toOpenOutcome(end, { accepted, ...describeRequest(context.held.content.submission) })
  }
}

/** Of several waits for one configuration, the stages of the last that saw any: their times have one beginning. */
export function selectTimings(
  seen: readonly StageTiming[],
  before: readonly StageTiming[] = [],
): readonly StageTiming[] {
  return seen.length > 0 ? seen : before
}

interface AcceptedFlag {
  /** True if the service is known to have accepted the request. */
  readonly accepted: boolean
}

interface SentRequest {
  readonly nonce: string | undefined
  /** The answer to it, where the outcome is still unknown. */
  readonly said: string | undefined
}

function describeRequest(submission: Submission | undefined): SentRequest {
  const isOpen = submission?.state === 'unknown'
  return { nonce: submission?.nonce, said: isOpen ? submission.reason : undefined }
}

/** The end of a wait that settles nothing; what it says of the request depends on whether that is known to be taken. */
export function toOpenOutcome(
  end: Exclude<WaitEnd, { readonly kind: 'ready' | 'failed' }>,
  { accepted, nonce, said }: AcceptedFlag & Partial<SentRequest>,
): Outcome {
  const toUnknown = (reason: UnknownReason, state?: string): Outcome => ({
    kind: 'unknown',
    operation: 'configure',
    reason,
    ...(state !== undefined && { state }),
    ...(said !== undefined && { said }),
    ...(nonce !== undefined && { nonce }),
  })
  const inProgress = (because: 'timeout' | 'interrupted' | 'not-allowed'): Outcome => ({
    kind: 'in-progress',
    because,
    ...('failure' in end && { failure: end.failure }),
  })
  switch (end.kind) {
    case 'not-begun':
      return toUnknown('no-sign-of-configuration')
    case 'replaced':
      return end
    case 'not-allowed':
      return accepted || end.begun ? inProgress('not-allowed') : toUnknown('no-valid-token')
    case 'interrupted':
      return accepted || end.begun ? inProgress('interrupted') : toUnknown('interrupted')
    case 'timeout':
      // Accepted and then never seen again is no doubt about the request.
      if (accepted && end.last === undefined) return inProgress('timeout')
      if (end.last?.kind === 'in-progress' || end.last?.kind === 'ready') return inProgress('timeout')
      return toUnknown(...findLastReason(end))
    default:
      return end satisfies never
  }
}

/** Notes how far the configuration came; what cannot be noted is an outcome of its own, for it happened all the same. */
export async function* recordProgress(
  how: 'ready' | 'failed' | 'detached',
  { held, clock }: Context,
  found: { readonly reason?: string; readonly timings?: readonly StageTiming[] } = {},
): AsyncGenerator<ApplyEvent, Outcome> {
  const { submission } = held.content
  // Where nothing came of what was promised, somebody else configured the site, and the record must not claim it.
  if (submission === undefined || !mayBeOurs(submission))
    return how === 'detached' ? { kind: 'in-progress', because: 'detached' } : { kind: 'done' }
  const state = how === 'detached' ? submission.state : how
  const noted = await held.write(buildSubmissionEntry(state), content =>
    withSubmissionState(content, { state, now: clock.now(), ...found }),
  )
  if (!noted.ok) return { kind: 'not-recorded', after: 'configure', failure: noted.error }
  if (how === 'detached') return { kind: 'in-progress', because: 'detached' }
  yield { type: 'record-written', serial: held.content.record.serial }
  return { kind: 'done' }
}

/** The reason by what was last seen of the site, with the state that is not documented. */
function findLastReason({
  last,
  wasSilent,
}: WaitEnd & { kind: 'timeout' }): readonly [reason: UnknownReason, state?: string] {
  if (last === undefined) return [wasSilent ? 'shows-no-configuration' : 'no-response-while-waiting']
  if (last.kind === 'unrecognized')
    return [last.contradiction ? 'contradictory-state' : 'unknown-state', last.state]
  return [last.kind === 'failed' ? 'site-failed' : 'shows-no-configuration']
}
