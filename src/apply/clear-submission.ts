import type { ServiceFailure } from '../client/failure.js'
import type { Observation } from '../plan/observation.js'
import { isPending, type Liveness, type Submission } from '../plan/submission.js'
import type { HeldState } from '../state/held-state.js'
import type { Lock } from '../state/site-state.js'
import type { StateFailure } from '../state/state-failure.js'
import { moved, submissionEntry } from './journal.js'
import type { Ports } from './ports.js'
import { isNotBegun, notBegunMs } from './prove-not-begun.js'

/** What is needed to make sure that nothing came of a request: it sends nothing but looks. */
export type ClearPorts = Pick<Ports, 'state' | 'clock'> & {
  readonly client: Pick<Ports['client'], 'observe'>
}

export interface ClearOptions {
  /** Names the request, so that nobody clears another one than was shown to them. */
  readonly nonce: string
  /** The operator made sure that the machine that promised is gone, where that cannot be told from here. */
  readonly isRunnerGone: boolean
  /** Wait for the time in which the request may still arrive, in place of refusing. */
  readonly waits: boolean
  readonly signal: AbortSignal
}

/** What takes its time. */
export type ClearStep =
  | { readonly type: 'draining'; readonly remainingMs: number }
  | { readonly type: 'looking'; readonly forMs: number }

/** How it ended; but for `cleared`, nothing was changed. */
export type Cleared =
  | { readonly kind: 'cleared'; readonly submission: Submission }
  /** No request is on record of which anything could have come. */
  | { readonly kind: 'nothing-to-clear'; readonly submission: Submission | undefined }
  /** The request on record is another one. */
  | { readonly kind: 'another'; readonly submission: Submission }
  | { readonly kind: 'locked'; readonly lock: Lock; readonly liveness: Liveness }
  /** The process that promised lives, or may live where it cannot be seen, and said nothing of its request: it could still send. */
  | {
      readonly kind: 'may-still-send'
      readonly submission: Submission
      readonly liveness: Exclude<Liveness, 'dead'>
    }
  /** The request may still be under way. */
  | { readonly kind: 'too-early'; readonly remainingMs: number }
  /** The site shows a configuration: nothing is to be sent again. */
  | { readonly kind: 'shows'; readonly observed: Observation }
  | { readonly kind: 'unproven'; readonly failure?: ServiceFailure }
  | { readonly kind: 'moved' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'not-recorded'; readonly failure: StateFailure }

/** Proxies and service may hold a request for so long before it arrives. */
const shortestDrainMs = 15 * 60_000

/**
 * Takes back the promise of a `configure` after an operator said that nothing came of it, so that the next apply may
 * send one. Before that the process that promised must be gone, the request must have had the time to arrive, and the
 * site must say for a minute that nothing has begun. Nobody but the service could exclude a request that arrives later
 * still.
 */
export async function* clearSubmission(
  ports: ClearPorts,
  options: ClearOptions,
): AsyncGenerator<ClearStep, Cleared> {
  const { state, clock } = ports
  const { signal } = options
  const kept = await state.read()
  if (!kept.ok) return { kind: 'not-recorded', failure: kept.failure }
  const submission = kept.value?.submission
  const refusal = await refusalOf(submission, ports, options)
  if (refusal !== undefined) return refusal
  if (submission === undefined) return { kind: 'nothing-to-clear', submission }
  const remainingMs = drainMs(submission, clock.now())
  if (remainingMs > 0 && !options.waits) return { kind: 'too-early', remainingMs }
  if (remainingMs > 0) {
    yield { type: 'draining', remainingMs }
    await clock.sleep(remainingMs, signal)
  }
  if (signal.aborted) return { kind: 'interrupted' }
  const taken = await state.take(
    'resubmit',
    content =>
      content.submission?.nonce === submission.nonce && content.submission.state === submission.state,
  )
  if (taken.kind === 'failed') return { kind: 'not-recorded', failure: taken.failure }
  if (taken.kind !== 'held') return taken
  try {
    yield { type: 'looking', forMs: notBegunMs }
    return (await objectionOf(ports, signal)) ?? (await cleared(taken.held, clock.now()))
  } finally {
    await taken.held.release({ type: 'released' })
  }
}

/** Whether there is something to clear, and nobody left who could send it. */
async function refusalOf(
  submission: Submission | undefined,
  { state }: ClearPorts,
  { nonce, isRunnerGone }: ClearOptions,
): Promise<Cleared | undefined> {
  if (submission === undefined || !isClearable(submission)) return { kind: 'nothing-to-clear', submission }
  if (submission.nonce !== nonce) return { kind: 'another', submission }
  // Who wrote down how its request ended does not send it any more, and may live on, such as a worker.
  if (!maySend(submission)) return undefined
  const liveness = await state.liveness(submission.by)
  if (liveness === 'dead' || (liveness === 'elsewhere' && isRunnerGone)) return undefined
  return { kind: 'may-still-send', submission, liveness }
}

/** True of a promise of which nobody wrote down that its request went out: a process that lives could still send it. */
export function maySend({ state }: Submission): boolean {
  return state === 'intent'
}

/** True of a request that keeps the next one from being sent. */
export function isClearable({ state }: Submission): boolean {
  return state !== 'not-sent' && state !== 'cleared'
}

/** How long the request may still be under way, in milliseconds; 0 where it was answered, or has had its time. */
export function drainMs(submission: Submission, now: number): number {
  if (!isPending(submission)) return 0
  const drain = Math.max(submission.deadlineMs, shortestDrainMs)
  // A clock that was set back, or is behind that of the other machine, must not make it longer.
  return Math.min(drain, Math.max(0, Date.parse(submission.intendedAt) + drain - now))
}

async function objectionOf(ports: ClearPorts, signal: AbortSignal): Promise<Cleared | undefined> {
  const look = await ports.client.observe(signal)
  if (signal.aborted) return { kind: 'interrupted' }
  if (!look.ok) return { kind: 'unproven', failure: look.failure }
  if (look.value.kind === 'unrecognized') return { kind: 'unproven' }
  if (look.value.kind !== 'not-configured') return { kind: 'shows', observed: look.value }
  if (await isNotBegun(ports, signal)) return undefined
  return signal.aborted ? { kind: 'interrupted' } : { kind: 'unproven' }
}

async function cleared(held: HeldState, now: number): Promise<Cleared> {
  const { submission } = held.content
  if (submission === undefined) return { kind: 'nothing-to-clear', submission }
  const noted = await held.write(submissionEntry('cleared'), content =>
    moved(content, { state: 'cleared', now }),
  )
  return noted.ok ? { kind: 'cleared', submission } : { kind: 'not-recorded', failure: noted.failure }
}
