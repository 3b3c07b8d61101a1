import { isProven, type Reply } from '../client/failure.js'
import type { ConfigureCall } from '../client/site-client.js'
import { joinMessages, type Observation } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import { findMovedSite, selectPlannedMark } from '../plan/saved/bindings.js'
import { mergeMarks, type SiteMark, selectMark } from '../plan/site-mark.js'
import type { Submission } from '../plan/submission.js'
import type { ApplyEvent } from './generated/event.js'
import { buildSubmissionEntry, withIntent, withSubmissionState } from './journal.js'
import { type BlockingOutcome, endApply, quoteAnswer, type StepResult } from './outcome.js'
import type { Context } from './ports.js'

/** The site just before the request, and after it if the service accepted the configuration. */
interface Submitted {
  readonly before: Observation
  readonly observed?: Observation
}

type Create = Configure & { readonly change: 'create' }

/** A wait for the response to `configure` after an interrupt. The request is already on its way. */
const answerTimeoutMs = 30_000
/**
 * A connection for `configure`, which the site may close after the poll that precedes the request. The last try sends the
 * request on another connection, because some sites close each one after a response.
 */
const maxTries = 3

/**
 * Sends `configure`, once in the life of a site. The order guarantees that: connect, poll on this connection, record the
 * intent durably and as the only run, confirm that the intent is still there, send. Afterwards no run sends it again without
 * proof that this one had no effect. Service §4.3.
 */
export async function* submitConfiguration(
  action: Create,
  context: Context,
): AsyncGenerator<ApplyEvent, StepResult<Submitted>> {
  const { options, held, clock } = context
  const { submission: former } = held.content
  if (former?.state === 'rejected' && !options.resubmitAfterRejection)
    return endApply({ kind: 'rejected-before', submission: former })
  const planned = selectPlannedMark(context.binds)
  const opened = await openOnKnownSite(action, planned, context)
  if (!opened.ok) return opened
  let call = opened.value
  // Needed after a failed write, too, which may be stored nevertheless: no later run may wait for a request never sent.
  const takeBack = () =>
    held.write(buildSubmissionEntry('not-sent'), content =>
      withSubmissionState(content, { state: 'not-sent', now: clock.now() }),
    )
  let reply: Reply<Observation>
  try {
    const refused = yield* checkLicense(action, context)
    if (refused !== undefined) return endApply(refused)
    const site = mergeMarks(planned, selectMark(call.observed))
    const submission = buildIntent(action, { ...call, site }, context)
    const intended = await held.write(buildSubmissionEntry('intent'), content =>
      withIntent(content, submission),
    )
    let sent = false
    try {
      if (!intended.ok) return endApply({ kind: 'not-recorded', after: 'nothing', failure: intended.error })
      yield { type: 'intent-written', generation: submission.generation }
      const { unnoted } = held
      if (unnoted !== undefined) yield { type: 'intent-not-noted', ...unnoted }
      for (let connections = 1; ; connections += 1) {
        const blocker = await findLastBlocker(context)
        if (blocker !== undefined) return endApply(blocker)
        sent = true
        const isLast = connections === maxTries
        reply = await sendConfigure(call, context, isLast ? 'new-connection' : undefined)
        if (reply.ok || reply.error.kind !== 'not-sent' || isLast) break
        sent = false
        const again = await openOnKnownSite(action, site, context)
        if (!again.ok) return again
        call = again.value
      }
    } finally {
      // The reader of the events may have stopped at the intent.
      if (!sent) await takeBack()
    }
  } finally {
    call.discard()
  }
  const answer = judgeReply(reply)
  // If this write fails, the intent already prevents a second request, and the next write includes the response.
  await held.write(buildSubmissionEntry(answer.state), content =>
    withSubmissionState(content, { ...answer, now: clock.now() }),
  )
  const { observed: before } = call
  if (reply.ok) {
    yield { type: 'configure-accepted' }
    return { ok: true, value: { before, observed: reply.value } }
  }
  const { error: failure } = reply
  if (answer.state === 'not-sent') return endApply({ kind: 'not-taken', operation: 'configure', failure })
  yield { type: 'outcome-unknown', operation: 'configure', failure }
  return { ok: true, value: { before } }
}

/** Connects to the site. Ends the apply if the site that responds on this connection is not the known one. */
async function openOnKnownSite(
  { organization }: Create,
  known: SiteMark,
  { client, secrets, options: { signal } }: Context,
): Promise<StepResult<ConfigureCall>> {
  const call = await client.openConfigure(organization, secrets, signal)
  if (!call.ok)
    return endApply(
      signal.aborted
        ? { kind: 'interrupted' }
        : { kind: 'not-taken', operation: 'configure', failure: call.error },
    )
  const moved = findMovedSite(known, call.value.observed)
  if (!signal.aborted && moved === undefined) return call
  call.value.discard()
  return endApply(moved === undefined ? { kind: 'interrupted' } : { kind: 'stale', moved: [moved] })
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

function buildIntent(
  { organization, licenses }: Create,
  { site, deadlineMs }: Pick<ConfigureCall, 'deadlineMs'> & { readonly site: SiteMark },
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
    site,
    deadlineMs,
    organization: { appliedAt: now, manifest: binds.manifest, value: organization, licenses },
  }
}

/** Waits for the response. An interrupt does not cut the request off at once: its outcome would be unknown. */
async function sendConfigure(
  call: ConfigureCall,
  { clock, options: { signal } }: Context,
  on: 'new-connection' | undefined,
): Promise<Reply<Observation>> {
  const cut = new AbortController()
  const answered = new AbortController()
  const stop = async () => {
    await clock.sleep(answerTimeoutMs, answered.signal)
    cut.abort()
  }
  signal.addEventListener('abort', stop, { signal: answered.signal })
  try {
    return await call.send(cut.signal, on)
  } finally {
    answered.abort()
  }
}

/**
 * Judges the response. A load balancer that sends a request twice may pass on the rejection of the second, so a rejection
 * leaves the outcome open until the site has shown for a while that nothing began.
 */
function judgeReply(reply: Reply<Observation>): Pick<Submission, 'state' | 'reason' | 'rejection'> {
  if (reply.ok) return { state: 'acknowledged' }
  const { error: failure } = reply
  if (failure.kind === 'not-sent') return { state: 'not-sent' }
  const isRejection = isProven(failure) && (failure.kind === 'refused' || failure.kind === 'unauthorized')
  const reason = (isRejection && joinMessages(failure)) || quoteAnswer(failure)
  if (!isRejection) return { state: 'unknown', ...(reason !== '' && { reason }) }
  const { kind, status, code } = failure
  return { state: 'unknown', reason, rejection: { kind, status, ...(code !== undefined && { code }) } }
}

/** The license check before `configure`. If the site does not respond, the apply continues. */
const licenseDeadlineMs = 10_000

/**
 * Has the service check the license before anything is recorded or sent. A rejection ends the run, as does a response from
 * something in front of the service. A list without the administrator's user type ends it only if a policy requires the user
 * type. Other responses are ignored: not every site has this resource. Public sources.
 */
async function* checkLicense(
  { organization }: Create,
  { client, secrets, options }: Context,
): AsyncGenerator<ApplyEvent, BlockingOutcome | undefined> {
  const { checkLicense: isWanted = false, requireListedUserType: isRequired = false, signal } = options
  const answer =
    isWanted || isRequired
      ? await client.validateLicense?.(secrets, { deadlineMs: licenseDeadlineMs, signal })
      : undefined
  if (signal.aborted) return { kind: 'interrupted' }
  if (answer?.kind === 'refused' || answer?.kind === 'blocked') {
    const because = answer.kind === 'refused' ? 'license' : 'blocked'
    return { kind: 'not-taken', operation: 'configure', failure: answer.failure, because }
  }
  const { userType } = organization.administrator
  if (answer?.kind !== 'valid' || answer.userTypes.includes(userType)) return undefined
  const { userTypes: listed } = answer
  if (isRequired) return { kind: 'not-permitted', userType, listed }
  yield { type: 'user-type-unlisted', userType, listed }
  return undefined
}
