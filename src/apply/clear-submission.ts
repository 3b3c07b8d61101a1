import type { ServiceFailure } from '../client/failure.js'
import type { Observation } from '../plan/observation.js'
import { type MarkDifference, selectMark } from '../plan/site-mark.js'
import { findOtherSite, isPending, type Liveness, type Submission } from '../plan/submission.js'
import type { HeldState, TakeResult } from '../state/ports.js'
import type { Lock } from '../state/site-state.js'
import type { StateFailure } from '../state/state-failure.js'
import { type Clocks, computeDrain, type DrainCount, type Moment, readMoment } from './drain.js'
import { buildSubmissionEntry, withSubmissionState } from './journal.js'
import type { Ports } from './ports.js'
import { notBegunMs, proveNotBegun } from './prove-not-begun.js'

/** The ports for proving that a request did not reach the service. They can only read the site. */
interface ClearPorts extends Pick<Ports, 'state'>, Clocks {
  readonly client: Pick<Ports['client'], 'observe'>
}

interface ClearOptions {
  /** Identifies the request, so that only the one shown to the operator is cleared. */
  readonly nonce: string
  /** The operator confirms that the process with the intent has ended. Counts only if this machine cannot verify it. */
  readonly isRunnerGone: boolean
  /** The operator's answer if a site with another version or build responds. */
  readonly siteIs?: 'upgraded' | 'another' | undefined
  /** Wait until the request can no longer arrive, instead of returning `too-early`. */
  readonly waits: boolean
  readonly signal: AbortSignal
}

/** A step that takes time. */
export type ClearStep =
  | { readonly type: 'draining'; readonly remainingMs: number; readonly count: DrainCount }
  | { readonly type: 'looking'; readonly forMs: number }

/** The result of clearing. The submission is unchanged unless the result is `cleared` or `kept`. */
export type Cleared =
  | { readonly kind: 'cleared'; readonly submission: Submission }
  /** The site was upgraded: the record stays, with the new version and build. */
  | { readonly kind: 'kept' }
  /** A site with another version or build shows a configuration, and the operator has not said whether it is the same site. */
  | {
      readonly kind: 'another-site'
      readonly submission: Submission
      readonly difference: MarkDifference
      readonly observed: Observation
    }
  /** No request is recorded that could have reached the service. */
  | { readonly kind: 'nothing-to-clear'; readonly submission: Submission | undefined }
  /** Another request is recorded. */
  | { readonly kind: 'another'; readonly submission: Submission }
  | { readonly kind: 'locked'; readonly lock: Lock; readonly liveness: Liveness }
  /** The process with the intent recorded no outcome, and is alive or cannot be checked: it could still send. */
  | {
      readonly kind: 'may-still-send'
      readonly submission: Submission
      readonly liveness: Exclude<Liveness, 'dead'>
    }
  /** The request may still be under way. */
  | { readonly kind: 'too-early'; readonly remainingMs: number; readonly count: DrainCount }
  /** The site shows a configuration: nothing may be sent again. */
  | { readonly kind: 'shows'; readonly observed: Observation }
  /** The site shows an unrecognized state or none, or too many polls failed: `lost` has their number and the last failure. */
  | {
      readonly kind: 'unproven'
      readonly lost?: { readonly looks: number; readonly failure: ServiceFailure }
    }
  | { readonly kind: 'moved' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'not-recorded'; readonly failure: StateFailure }

/**
 * Discards the submission intent of a `configure` that an operator believes was not received, so that the next apply may send
 * one. First, the process that recorded the intent must have ended, the time in which the request may still arrive must have
 * passed since the first call, and the site must report for a minute that nothing has begun. Only the service could rule out
 * a request that arrives even later.
 */
export async function* clearSubmission(
  ports: ClearPorts,
  options: ClearOptions,
): AsyncGenerator<ClearStep, Cleared> {
  const { state, clock } = ports
  const { signal } = options
  const kept = await state.read()
  if (!kept.ok) return { kind: 'not-recorded', failure: kept.error }
  const submission = kept.value?.submission
  if (submission === undefined || !isClearable(submission)) return { kind: 'nothing-to-clear', submission }
  const blocker = await findBlocker(submission, ports, options)
  if (blocker !== undefined) return blocker
  const { siteIs } = options
  const seen = await findObjection(ports, { signal, siteIs, answers: 1 }, submission)
  if (seen?.kind === 'another-site' && siteIs === 'upgraded') return keepRecord(seen, state, clock.now())
  if (seen !== undefined) return seen
  const isGone = await isEmulatorGone(submission, ports, signal)
  const early = isGone ? undefined : yield* waitForDrain(submission, ports, options)
  if (early !== undefined) return early
  const taken = await lockFor(submission, state)
  if (taken.kind !== 'held') return toCleared(taken)
  try {
    yield { type: 'looking', forMs: notBegunMs }
    return (
      (await findObjection(ports, { signal, siteIs }, submission)) ??
      (await recordCleared(submission, taken.held, clock.now()))
    )
  } finally {
    await taken.held.release({ type: 'released' })
  }
}

/** Tests whether another emulator has replaced the one that the request was sent to: the request can then no longer arrive. */
async function isEmulatorGone(
  { site }: Submission,
  { client }: ClearPorts,
  signal: AbortSignal,
): Promise<boolean> {
  if (site?.emulator === undefined) return false
  const seen = await client.observe(signal)
  return seen.ok && seen.value.emulator !== undefined && seen.value.emulator !== site.emulator
}

/** Locks the site if the request is unchanged since it was read. */
function lockFor({ nonce, state: was }: Submission, state: ClearPorts['state']): Promise<TakeResult> {
  return state.take(
    'state discard-intent',
    ({ submission }) => submission?.nonce === nonce && submission.state === was,
  )
}

function toCleared(taken: Exclude<TakeResult, { readonly kind: 'held' }>): Cleared {
  return taken.kind === 'failed' ? { kind: 'not-recorded', failure: taken.failure } : taken
}

/** Waits until the request can no longer arrive, or returns `too-early`. The state keeps the start of the count. */
async function* waitForDrain(
  submission: Submission,
  ports: ClearPorts,
  { waits, signal }: ClearOptions,
): AsyncGenerator<ClearStep, Cleared | undefined> {
  const { clock } = ports
  if (!isPending(submission)) return undefined
  const now = await readMoment(submission, ports, signal)
  const { remainingMs, count } = computeDrain(submission, now)
  if (remainingMs === 0) return undefined
  if (count === 'begins' || count === 'begins-anew') {
    const rejection = await recordDrain(submission, now, ports)
    if (rejection !== undefined) return rejection
  }
  if (!waits) return { kind: 'too-early', remainingMs, count }
  yield { type: 'draining', remainingMs, count }
  const beganMs = clock.monotonicMs()
  for (let leftMs = remainingMs; leftMs > 0 && !signal.aborted; ) {
    await clock.sleep(leftMs, signal)
    leftMs = beganMs + remainingMs - clock.monotonicMs()
  }
  return signal.aborted ? { kind: 'interrupted' } : undefined
}

/** Records in the state that the count begins. */
async function recordDrain(
  submission: Submission,
  { machine: since, siteMs }: Moment,
  { state, clock }: ClearPorts,
): Promise<Cleared | undefined> {
  if (since === undefined) return undefined
  const taken = await lockFor(submission, state)
  if (taken.kind !== 'held') return toCleared(taken)
  const { held } = taken
  const drain = {
    since,
    ...(siteMs !== undefined && { siteDate: new Date(siteMs).toISOString() }),
    notedAt: new Date(clock.now()).toISOString(),
  }
  const noted = await held.write({ type: 'draining' }, content => ({
    ...content,
    submission: { ...submission, ...content.submission, drain },
  }))
  await held.release({ type: 'released' })
  return noted.ok ? undefined : { kind: 'not-recorded', failure: noted.error }
}

/** Finds another request, or a process that could still send this one. */
async function findBlocker(
  submission: Submission,
  { state }: ClearPorts,
  { nonce, isRunnerGone }: ClearOptions,
): Promise<Cleared | undefined> {
  if (submission.nonce !== nonce) return { kind: 'another', submission }
  // A process that recorded the outcome of its request does not send it again, even if it still runs, as a worker does.
  if (!maySend(submission)) return undefined
  const liveness = await state.liveness(submission.by)
  if (liveness === 'dead' || (liveness === 'elsewhere' && isRunnerGone)) return undefined
  return { kind: 'may-still-send', submission, liveness }
}

/** Tests whether the outcome of the request was never recorded: a process that still runs could send it. */
export function maySend({ state }: Submission): boolean {
  return state === 'intent'
}

/** Tests whether the request keeps the next one from being sent. */
export function isClearable({ state }: Submission): boolean {
  return state !== 'not-sent' && state !== 'cleared'
}

async function findObjection(
  ports: ClearPorts,
  { siteIs, ...polls }: Parameters<typeof proveNotBegun>[1] & Pick<ClearOptions, 'siteIs'>,
  submission: Submission,
): Promise<Cleared | undefined> {
  const proof = await proveNotBegun(ports, polls)
  switch (proof.kind) {
    case 'not-begun':
      return undefined
    case 'shows': {
      const { observed } = proof
      const isShown = observed.kind === 'ready' || observed.kind === 'in-progress'
      const difference = isShown ? findOtherSite(submission, observed) : undefined
      // An emulator is never upgraded.
      const isAnother = siteIs === 'another' || difference?.kind === 'another-emulator'
      if (difference !== undefined && !isAnother)
        return { kind: 'another-site', submission, difference, observed }
      // This other site is configured already. The one with the request is gone: the operator says so, or it was an emulator.
      if (difference !== undefined && observed.kind === 'ready') return undefined
      return observed.kind === 'unrecognized' ? { kind: 'unproven' } : proof
    }
    case 'lost':
      return proof.failure === undefined
        ? { kind: 'unproven' }
        : { kind: 'unproven', lost: { looks: proof.looks, failure: proof.failure } }
    case 'interrupted':
      return proof
    default:
      return proof satisfies never
  }
}

/** Records that the upgraded site shows the configuration, with its new version and build. */
async function keepRecord(
  { submission, observed }: Cleared & { readonly kind: 'another-site' },
  store: ClearPorts['state'],
  now: number,
): Promise<Cleared> {
  const taken = await lockFor(submission, store)
  if (taken.kind !== 'held') return toCleared(taken)
  const state = observed.kind === 'ready' ? 'ready' : 'begun'
  const noted = await taken.held.write(buildSubmissionEntry(state), content =>
    withSubmissionState(content, { state, now, site: selectMark(observed) }),
  )
  await taken.held.release({ type: 'released' })
  return noted.ok ? { kind: 'kept' } : { kind: 'not-recorded', failure: noted.error }
}

async function recordCleared(submission: Submission, held: HeldState, now: number): Promise<Cleared> {
  const noted = await held.write(buildSubmissionEntry('cleared'), content =>
    withSubmissionState(content, { state: 'cleared', now }),
  )
  return noted.ok ? { kind: 'cleared', submission } : { kind: 'not-recorded', failure: noted.error }
}
