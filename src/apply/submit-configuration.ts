import type { Reply } from '../client/failure.js'
import { isProven } from '../client/is-certain.js'
import type { ConfigureCall } from '../client/site-client.js'
import type { Observation } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import { joinMessages } from '../plan/service-message.js'
import type { Submission, SubmissionState } from '../plan/submission.js'
import type { Result } from '../result.js'
import { checkLicense } from './check-license.js'
import type { ApplyEvent } from './event.js'
import { buildSubmissionEntry, withIntent, withSubmissionState } from './journal.js'
import type { Outcome } from './outcome.js'
import type { Context } from './ports.js'
import { type IdleProof, proveNotBegun } from './prove-not-begun.js'

/** The result of the one request, and the site just before it; `ended` where there is nothing to wait for. */
export type SubmissionResult =
  | { readonly kind: 'accepted'; readonly before: Observation; readonly observed: Observation }
  | { readonly kind: 'unknown'; readonly before: Observation }
  | { readonly kind: 'ended'; readonly outcome: Outcome }

/** A request under way may still be answered for this time after the user asked to stop. */
const graceMs = 30_000

/**
 * Sends `configure`, once in the life of a site. The order is what makes that true: look, connect, promise durably and
 * alone among all runs, see that the promise stands, send; from then on nobody sends it again without a proof. Service §4.3.
 */
export async function* submitConfiguration(
  action: Configure & { readonly change: 'create' },
  context: Context,
): AsyncGenerator<ApplyEvent, SubmissionResult> {
  const { client, options, held, clock } = context
  const { signal } = options
  const endWith = (outcome: Outcome): SubmissionResult => ({ kind: 'ended', outcome })
  const polled = await observeBefore(context)
  if (!polled.ok) return endWith(polled.error)
  const before = polled.value
  const refused = yield* checkLicense(action, context)
  if (refused !== undefined) return endWith(refused)
  const call = await client.openConfigure(action.organization, context.secrets, signal)
  if (signal.aborted) {
    if (call.ok) call.value.discard()
    return endWith({ kind: 'interrupted' })
  }
  if (!call.ok) return endWith({ kind: 'not-taken', operation: 'configure', failure: call.error })
  const submission = buildIntent(action, call.value, context)
  const intended = await held.write(buildSubmissionEntry('intent'), content =>
    withIntent(content, submission),
  )
  // It may stand there all the same, or be written with the end of the run: then nobody is to wait for it.
  const takeBack = async () => {
    call.value.discard()
    await held.write(buildSubmissionEntry('not-sent'), content =>
      withSubmissionState(content, { state: 'not-sent', now: clock.now() }),
    )
  }
  if (!intended.ok) {
    await takeBack()
    return endWith({ kind: 'not-recorded', after: 'nothing', failure: intended.error })
  }
  let hindrance: Outcome | undefined = { kind: 'interrupted' }
  try {
    yield { type: 'intent-written', generation: submission.generation }
    hindrance = await findLastBlocker(context)
  } finally {
    // Who reads the events may have stopped here, and an interrupt may have come while the promise was written.
    if (hindrance !== undefined) await takeBack()
  }
  if (hindrance !== undefined) return endWith(hindrance)
  const reply = await sendConfigure(call.value, context)
  const state = selectStateAfter(reply)
  const reason = reply.ok ? '' : joinMessages(reply.error)
  // Where this cannot be written the promise says enough; the next write says it, too.
  await held.write(buildSubmissionEntry(state), content =>
    withSubmissionState(content, { state, now: clock.now(), ...(reason !== '' && { reason }) }),
  )
  if (reply.ok) {
    yield { type: 'configure-accepted' }
    return { kind: 'accepted', before, observed: reply.value }
  }
  const notTaken = { kind: 'not-taken', operation: 'configure', failure: reply.error } as const
  if (state === 'rejected') return endWith({ ...notTaken, isRejected: true })
  if (state === 'not-sent') return endWith(notTaken)
  yield { type: 'outcome-unknown', operation: 'configure', failure: reply.error }
  return { kind: 'unknown', before }
}

type ObservedBefore = Result<Observation, Outcome>

/** The site where a request may be sent to it now, or why none may. */
async function observeBefore(context: Context): Promise<ObservedBefore> {
  const { client, options, held } = context
  const { signal, resubmitAfterRejection = false } = options
  const { submission } = held.content
  if (submission?.state === 'rejected') {
    if (!resubmitAfterRejection) return rejectBefore({ kind: 'rejected-before', submission })
    const proof = await proveNotBegun(context, { signal })
    if (proof.kind !== 'not-begun') return rejectBefore(toUnprovenOutcome(proof))
  }
  const before = await client.observe(signal)
  if (signal.aborted) return rejectBefore({ kind: 'interrupted' })
  if (!before.ok) return rejectBefore({ kind: 'not-taken', operation: 'configure', failure: before.error })
  return before.value.kind === 'not-configured'
    ? { ok: true, value: before.value }
    : rejectBefore({
        kind: 'stale',
        moved: [{ kind: 'site-state', was: 'not-configured', is: before.value.kind }],
      })
}

/**
 * Checks right before the first byte that the request may still be sent: the process may have been suspended for hours
 * since it recorded the intent, and an operator may have discarded the intent as that of a process that is gone.
 */
async function findLastBlocker({ held, options: { signal } }: Context): Promise<Outcome | undefined> {
  const confirmed = await held.confirm()
  if (signal.aborted) return { kind: 'interrupted' }
  return confirmed.ok ? undefined : { kind: 'not-recorded', after: 'nothing', failure: confirmed.error }
}

function rejectBefore(outcome: Outcome): ObservedBefore {
  return { ok: false, error: outcome }
}

function toUnprovenOutcome(proof: Exclude<IdleProof, { readonly kind: 'not-begun' }>): Outcome {
  if (proof.kind === 'interrupted') return { kind: 'interrupted' }
  if (proof.kind === 'lost') return { kind: 'not-taken', operation: 'configure', failure: proof.failure }
  return { kind: 'stale', moved: [{ kind: 'site-not-idle' }] }
}

function buildIntent(
  { organization, licenses }: Configure & { readonly change: 'create' },
  { deadlineMs }: ConfigureCall,
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
    deadlineMs,
    organization: { appliedAt: now, manifest: binds.manifest, value: organization, licenses },
  }
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

function selectStateAfter(reply: Reply<Observation>): SubmissionState {
  if (reply.ok) return 'acknowledged'
  const { error: failure } = reply
  if (failure.kind === 'not-sent') return 'not-sent'
  return isProven(failure) ? 'rejected' : 'unknown'
}
