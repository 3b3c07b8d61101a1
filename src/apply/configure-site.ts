import type { ServiceFailure } from '../client/failure.js'
import type { StageRecord } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import { selectPlannedMark } from '../plan/saved/bindings.js'
import { type SiteMark, selectMark } from '../plan/site-mark.js'
import {
  isAnswered,
  isPending,
  isRejection,
  listSentMarks,
  mayBeOurs,
  type Submission,
} from '../plan/submission.js'
import { wipeAll } from '../secrets/resolve.js'
import type { StateContent } from '../state/site-state.js'
import type { ApplyEvent } from './generated/event.js'
import { buildSubmissionEntry, selectKeptMessage, withSubmissionState } from './journal.js'
import {
  type BlockingOutcome,
  endApply,
  type StepResult,
  stepDone,
  type UnknownReason,
  type WaitEnd,
} from './outcome.js'
import type { Context } from './ports.js'
import { submitConfiguration } from './submit-configuration.js'
import { waitUntilReady } from './wait-until-ready.js'

/**
 * Creates the organization, or resumes the wait for one that is being created. The request is sent once at most; whatever
 * its outcome, the site is only polled from then on. Service §4.3.
 */
export async function* configureSite(
  action: Configure,
  context: Context,
): AsyncGenerator<ApplyEvent, StepResult> {
  const { submission } = context.held.content
  const seen = selectPlannedMark(context.binds)
  const marks = [...listSentMarks(submission), seen]
  if (action.change === 'no-op') {
    if (!isFollowed(submission)) return stepDone
    // An earlier run ended before the site was ready, and the plan may have read `ready` from a node that is ahead of others.
    return yield* followConfiguration({ isSender: false, stages: [], accepted: true, marks }, context)
  }
  if (action.change === 'resume') {
    const accepted = submission === undefined || !isPending(submission) || submission.state === 'acknowledged'
    return yield* followOrDetach({ isSender: false, stages: [], accepted, marks }, context)
  }
  const submitted = yield* submitConfiguration(action, context)
  // The wait may take hours, and needs no secret.
  wipeAll(context.secrets)
  if (!submitted.ok) return submitted
  const { before, observed } = submitted.value
  const stages = observed?.stages ?? []
  if (observed !== undefined) yield { type: 'stages-changed', changed: [], stages, elapsedMs: 0 }
  const marksSeen = [seen, selectMark(before)]
  const followed = { isSender: true, stages, accepted: observed !== undefined, marks: marksSeen }
  return yield* followOrDetach(followed, context)
}

/** Tests whether a submission may have configured the site, although no success is recorded. */
export function isFollowed(submission: Submission | undefined): submission is Submission {
  return submission !== undefined && submission.state !== 'ready' && mayBeOurs(submission)
}

interface FollowedConfiguration {
  /** True if this run sent `configure`: it then knows the secrets that the site could repeat. */
  readonly isSender: boolean
  /** The stages as they were before the first poll. */
  readonly stages: readonly StageRecord[]
  /** True if the service is known to have accepted the configuration. */
  readonly accepted: boolean
  /** The marks that the site had before, in order. */
  readonly marks: readonly SiteMark[]
}

async function* followOrDetach(
  followed: FollowedConfiguration,
  context: Context,
): AsyncGenerator<ApplyEvent, StepResult> {
  return context.options.detach && followed.accepted
    ? endApply({ kind: 'in-progress', because: 'detached' })
    : yield* followConfiguration(followed, context)
}

/** Waits for a configuration that this run or another one submitted, and records its end; only reads the site. */
async function* followConfiguration(
  { isSender, stages, accepted, marks }: FollowedConfiguration,
  context: Context,
): AsyncGenerator<ApplyEvent, StepResult> {
  const { client, options, clock, held, random } = context
  const { submission } = held.content
  const begun = submission?.state === 'begun'
  const waiting = {
    reader: client,
    clock,
    waitOptions: options,
    random,
    stages,
    begun,
    isAnswered: submission !== undefined && isAnswered(submission),
    marks,
    estimate: submission?.timings ?? [],
  }
  const wait = waitUntilReady(waiting, options.signal)
  for (;;) {
    const step = await wait.next()
    if (step.done === true) return recordEnd(step.value, { accepted, isSender }, context)
    const { said } = describeRequest(held.content.submission)
    yield step.value.type === 'heartbeat' && said ? { ...step.value, said } : step.value
    // A lease that cannot be renewed is reported at the end: polling does no harm.
    await held.renew()
    if (step.value.type === 'configure-begun') yield* recordBegun(context)
  }
}

/** Records that the site shows the configuration, which settles a request of unknown outcome. */
async function* recordBegun({ held, clock }: Context): AsyncGenerator<ApplyEvent, void> {
  const { submission } = held.content
  if (submission === undefined || !isPending(submission)) return
  const begin = (content: StateContent) => withSubmissionState(content, { state: 'begun', now: clock.now() })
  // This adds little to an accepted request, so it is written with the next version.
  if (submission.state === 'acknowledged' && !held.isBehind) return held.note(begin)
  if (submission.state !== 'acknowledged') yield { type: 'submission-adopted' }
  await held.write(buildSubmissionEntry('begun'), begin)
}

async function recordEnd(
  end: WaitEnd,
  { accepted, isSender }: Pick<FollowedConfiguration, 'accepted' | 'isSender'>,
  { held, clock }: Context,
): Promise<StepResult> {
  const { submission } = held.content
  // The record must not claim a site that another program configured.
  const isOurs = submission !== undefined && mayBeOurs(submission)
  switch (end.kind) {
    case 'ready': {
      const change = { state: 'ready', now: clock.now(), timings: end.timings } as const
      if (isOurs) held.note(content => withSubmissionState(content, change))
      return stepDone
    }
    case 'failed': {
      const { message = '', stages } = end.observed
      const reason = selectKeptMessage(message, isSender)
      const change = { state: 'failed', now: clock.now(), reason } as const
      const noted = isOurs
        ? await held.write(buildSubmissionEntry('failed'), content => withSubmissionState(content, change))
        : stepDone
      return endApply(
        noted.ok
          ? { kind: 'site-failed', message, stages }
          : { kind: 'not-recorded', after: 'configure', failure: noted.error },
      )
    }
    default: {
      const outcome = toOpenOutcome(end, { accepted, ...describeRequest(submission) })
      // If this cannot be written, the next run waits for the same proof.
      if ('isRejected' in outcome)
        await held.write(buildSubmissionEntry('rejected'), content =>
          withSubmissionState(content, { state: 'rejected', now: clock.now() }),
        )
      return endApply(outcome)
    }
  }
}

interface AcceptedFlag {
  /** True if the service is known to have accepted the request. */
  readonly accepted: boolean
}

interface SentRequest {
  readonly nonce: string | undefined
  /** The response to it, while the outcome is unknown. */
  readonly said: string | undefined
  /** The rejection in that response, if it is one. */
  readonly rejection: ServiceFailure | undefined
}

/** Returns the facts about a request that an outcome repeats. */
function describeRequest(submission: Submission | undefined): SentRequest {
  const isOpen = submission !== undefined && isAnswered(submission)
  const said = isOpen ? submission.reason : undefined
  const rejection = isRejection(submission) ? { ...submission.rejection, message: said ?? '' } : undefined
  return { nonce: submission?.nonce, said, rejection }
}

/** Converts the end of a wait that was neither `ready` nor `failed` to an outcome. */
export function toOpenOutcome(
  end: Exclude<WaitEnd, { readonly kind: 'ready' | 'failed' }>,
  { accepted, nonce, said, rejection }: AcceptedFlag & Partial<SentRequest>,
): BlockingOutcome {
  const toUnknown = (reason: UnknownReason, state?: string): BlockingOutcome => ({
    kind: 'unknown',
    operation: 'configure',
    reason,
    ...(state !== undefined && { state }),
    ...(said !== undefined && { said }),
    ...(rejection !== undefined && { isRejection: true }),
    ...(nonce !== undefined && { nonce }),
  })
  const inProgress = (because: 'timeout' | 'interrupted' | 'not-allowed'): BlockingOutcome => ({
    kind: 'in-progress',
    because,
    ...('failure' in end && { failure: end.failure }),
  })
  switch (end.kind) {
    case 'not-begun':
      return rejection !== undefined && end.isShown
        ? { kind: 'not-taken', operation: 'configure', failure: rejection, isRejected: true }
        : toUnknown('no-sign-of-configuration')
    case 'replaced':
      return end
    case 'not-allowed':
      return accepted || end.begun ? inProgress('not-allowed') : toUnknown('no-valid-token')
    case 'interrupted':
      return accepted || end.begun ? inProgress('interrupted') : toUnknown('interrupted')
    case 'timeout':
      // An accepted request is not in doubt, even if the site was never seen afterwards.
      if (accepted && end.last === undefined) return inProgress('timeout')
      if (end.last?.kind === 'in-progress' || end.last?.kind === 'ready') return inProgress('timeout')
      return toUnknown(...findLastReason(end))
    default:
      return end satisfies never
  }
}

/** Chooses the reason by the last observation, and adds its state if that is not documented. */
function findLastReason({
  last,
  wasSilent,
}: WaitEnd & { kind: 'timeout' }): readonly [reason: UnknownReason, state?: string] {
  if (last === undefined) return [wasSilent ? 'shows-no-configuration' : 'no-response-while-waiting']
  if (last.kind === 'unrecognized')
    return [last.contradiction ? 'contradictory-state' : 'unknown-state', last.state]
  return [last.kind === 'failed' ? 'site-failed' : 'shows-no-configuration']
}
