import { isProven, type Reply } from '../client/failure.js'
import type { ConfigureCall } from '../client/site-client.js'
import { joinMessages, type Observation } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import { selectPlannedMark } from '../plan/saved/bindings.js'
import { findDifference, mergeMarks, type SiteMark, selectMark } from '../plan/site-mark.js'
import type { Submission, SubmissionState } from '../plan/submission.js'
import type { ApplyEvent } from './generated/event.js'
import { buildSubmissionEntry, withIntent, withSubmissionState } from './journal.js'
import { type BlockingOutcome, endApply, quoteAnswer, type StepResult } from './outcome.js'
import type { Context } from './ports.js'
import { type IdleProof, proveNotBegun } from './prove-not-begun.js'

/** The site just before the one request; after it only where the service accepted the configuration. */
export interface Submitted {
  readonly before: Observation
  readonly observed?: Observation
}

/** A request under way may still be answered for this time after the user asked to stop. */
const graceMs = 30_000

/**
 * Sends `configure`, once in the life of a site. The order makes that true: look, connect, record the intent durably and
 * alone among all runs, confirm that the intent is still there, send. Without a proof no later run sends it again. Service §4.3.
 */
export async function* submitConfiguration(
  action: Configure & { readonly change: 'create' },
  context: Context,
): AsyncGenerator<ApplyEvent, StepResult<Submitted>> {
  const { client, options, held, clock } = context
  const { signal } = options
  const polled = await observeBefore(context)
  if (!polled.ok) return polled
  const before = polled.value
  const refused = yield* checkLicense(action, context)
  if (refused !== undefined) return endApply(refused)
  const call = await client.openConfigure(action.organization, context.secrets, signal)
  if (signal.aborted) {
    if (call.ok) call.value.discard()
    return endApply({ kind: 'interrupted' })
  }
  if (!call.ok) return endApply({ kind: 'not-taken', operation: 'configure', failure: call.error })
  const submission = buildIntent(action, { call: call.value, before }, context)
  const intended = await held.write(buildSubmissionEntry('intent'), content =>
    withIntent(content, submission),
  )
  // A write that failed may be there all the same, or be written with the end of the run: no run is to wait for it.
  const takeBack = async () => {
    call.value.discard()
    await held.write(buildSubmissionEntry('not-sent'), content =>
      withSubmissionState(content, { state: 'not-sent', now: clock.now() }),
    )
  }
  if (!intended.ok) {
    await takeBack()
    return endApply({ kind: 'not-recorded', after: 'nothing', failure: intended.error })
  }
  let sent = false
  let reply: Reply<Observation>
  try {
    yield { type: 'intent-written', generation: submission.generation }
    const { unnoted } = held
    if (unnoted !== undefined) yield { type: 'intent-not-noted', ...unnoted }
    const blocker = await findLastBlocker(context)
    if (blocker !== undefined) return endApply(blocker)
    sent = true
    reply = await sendConfigure(call.value, context)
  } finally {
    // The reader of the events may have stopped at the intent.
    if (!sent) await takeBack()
  }
  const state = await judgeReply(reply, context)
  const reason = reply.ok ? '' : state === 'unknown' ? quoteAnswer(reply.error) : joinMessages(reply.error)
  // If this cannot be written, the intent says enough, and the next write has it.
  await held.write(buildSubmissionEntry(state), content =>
    withSubmissionState(content, { state, now: clock.now(), ...(reason !== '' && { reason }) }),
  )
  if (reply.ok) {
    yield { type: 'configure-accepted' }
    return { ok: true, value: { before, observed: reply.value } }
  }
  const notTaken = { kind: 'not-taken', operation: 'configure', failure: reply.error } as const
  if (state === 'rejected') return endApply({ ...notTaken, isRejected: true })
  if (state === 'not-sent') return endApply(notTaken)
  yield { type: 'outcome-unknown', operation: 'configure', failure: reply.error }
  return { ok: true, value: { before } }
}

/** Observes the site that is about to be configured; an end where no request may be sent to it now. */
async function observeBefore(context: Context): Promise<StepResult<Observation>> {
  const { client, options, held } = context
  const { signal, resubmitAfterRejection = false } = options
  const { submission } = held.content
  if (submission?.state === 'rejected') {
    if (!resubmitAfterRejection) return endApply({ kind: 'rejected-before', submission })
    const proof = await proveNotBegun(context, { signal })
    if (proof.kind !== 'not-begun') return endApply(toUnprovenOutcome(proof))
  }
  const before = await client.observe(signal)
  if (signal.aborted) return endApply({ kind: 'interrupted' })
  if (!before.ok) return endApply({ kind: 'not-taken', operation: 'configure', failure: before.error })
  return before.value.kind === 'not-configured'
    ? { ok: true, value: before.value }
    : endApply({
        kind: 'stale',
        moved: [{ kind: 'site-state', was: 'not-configured', is: before.value.kind }],
      })
}

/**
 * Checks right before the first byte that the request may still be sent: the process may have been suspended for hours
 * since it recorded the intent, and an operator may have discarded the intent as that of a process that is gone.
 */
async function findLastBlocker({ held, options: { signal } }: Context): Promise<BlockingOutcome | undefined> {
  const confirmed = await held.confirm()
  if (signal.aborted) return { kind: 'interrupted' }
  return confirmed.ok ? undefined : { kind: 'not-recorded', after: 'nothing', failure: confirmed.error }
}

function toUnprovenOutcome(proof: Exclude<IdleProof, { readonly kind: 'not-begun' }>): BlockingOutcome {
  if (proof.kind === 'interrupted') return { kind: 'interrupted' }
  if (proof.kind === 'lost') return { kind: 'not-taken', operation: 'configure', failure: proof.failure }
  return { kind: 'stale', moved: [{ kind: 'site-not-idle' }] }
}

function buildIntent(
  { organization, licenses }: Configure & { readonly change: 'create' },
  { call, before }: { readonly call: ConfigureCall; readonly before: Observation },
  { held, clock, nonce, binds }: Context,
): Submission {
  const now = new Date(clock.now()).toISOString()
  return {
    generation: (held.content.submission?.generation ?? 0) + 1,
    nonce: nonce(),
    state: 'intent',
    intendedAt: now,
    changedAt: now,
    by: held.lock.holder,
    ...selectSureMark(selectPlannedMark(binds), before),
    deadlineMs: call.deadlineMs,
    organization: { appliedAt: now, manifest: binds.manifest, value: organization, licenses },
  }
}

/** Selects what the plan and the last look agree on: one look alone may be answered by another site. */
function selectSureMark(planned: SiteMark, before: Observation): Pick<Submission, 'site'> {
  const seen = selectMark(before)
  return findDifference(planned, seen) === undefined ? { site: mergeMarks(planned, seen) } : {}
}

/** Waits for the answer. An interrupt does not cut the request off at once: its outcome would be unknown. */
async function sendConfigure(
  call: ConfigureCall,
  { clock, options: { signal } }: Context,
): Promise<Reply<Observation>> {
  const cut = new AbortController()
  const answered = new AbortController()
  const stop = async () => {
    await clock.sleep(graceMs, answered.signal)
    cut.abort()
  }
  if (signal.aborted) void stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await call.send(cut.signal)
  } finally {
    signal.removeEventListener('abort', stop)
    answered.abort()
  }
}

/**
 * Judges the answer. A balancer that sends a request twice may pass on the rejection of the second, so that a rejection counts
 * only where the site then shows nothing.
 */
async function judgeReply(reply: Reply<Observation>, { client, options }: Context): Promise<SubmissionState> {
  if (reply.ok) return 'acknowledged'
  const { error: failure } = reply
  if (failure.kind === 'not-sent') return 'not-sent'
  if (!isProven(failure)) return 'unknown'
  const after = await client.observe(options.signal)
  return after.ok && after.value.kind !== 'not-configured' ? 'unknown' : 'rejected'
}

/** A site that does not answer about licenses delays an apply by this time at most. */
const licenseDeadlineMs = 10_000

/**
 * Asks the service about the license before anything is recorded or sent. A refusal ends the run. A list without
 * the user type ends it only if a policy says so. Other answers are ignored: not every site has this resource. Public sources.
 */
async function* checkLicense(
  { organization }: Configure & { readonly change: 'create' },
  { client, secrets, options }: Context,
): AsyncGenerator<ApplyEvent, BlockingOutcome | undefined> {
  const { checkLicense: isWanted = false, requireListedUserType: isRequired = false, signal } = options
  const answer =
    isWanted || isRequired
      ? await client.validateLicense?.(secrets, { deadlineMs: licenseDeadlineMs, signal })
      : undefined
  if (signal.aborted) return { kind: 'interrupted' }
  if (answer?.kind === 'refused')
    return { kind: 'not-taken', operation: 'configure', failure: answer.failure, because: 'license' }
  const { userType } = organization.administrator
  if (answer?.kind !== 'valid' || answer.userTypes.includes(userType)) return undefined
  const { userTypes: listed } = answer
  if (isRequired) return { kind: 'not-permitted', userType, listed }
  yield { type: 'user-type-unlisted', userType, listed }
  return undefined
}
