import { exitCodes } from 'landform/cli'
import type { StageTiming } from 'landform/state'
import type { Order, Phase, RunEnd } from '../model/run.js'
import type { RunEnding } from './ends.js'

/** Known facts about a configuration before it is watched. Small, because it is stored with every step. */
export interface ConfigurationFacts {
  /** A request was sent, and its outcome is unknown. */
  readonly isOpen: boolean
  /** The configuration is known to have begun on the site. */
  readonly begun: boolean
  /** The version that the site reported. */
  readonly version?: string
  /** Times of the stages as observed while waiting, under the names of the contract. */
  readonly timings?: readonly StageTiming[]
}

interface NextPhase {
  readonly kind: 'next'
  readonly phase: Phase
  readonly standing: ConfigurationFacts
}

/** The result of a step before retries are decided: the next phase, or an end. */
export type StepOutcome = NextPhase | RunEnding

/** The result of a step after retries were decided. */
export type StepAnswer =
  | NextPhase
  | { readonly kind: 'again'; readonly why: string; readonly pauseMs: number }
  | { readonly kind: 'ended'; readonly end: RunEnd }

/** The result of a step, as the engine stores it: only text of Landform. `at` is the time after the step. */
export type StepResult = { readonly at: number } & StepAnswer

/** The state of the workflow of a site: derived from the results of earlier steps, and nothing else. */
export interface WorkflowState {
  readonly phase: Phase
  /** Start of its time limit; absent before the first step. */
  readonly startedAt?: number
  /** Start of its phase; absent if the next step starts it. */
  readonly since?: number
  /** Number of retries in total, and in a row. */
  readonly retries: number
  readonly tries: number
  readonly standing: ConfigurationFacts
}

export const initialState: WorkflowState = {
  phase: 'observe',
  retries: 0,
  tries: 0,
  standing: { isOpen: false, begun: false },
}

/**
 * Returns the workflow state after a step that did not end the run. A retry begins with an observation, because the site
 * may have changed.
 */
export function advanceState(
  current: WorkflowState,
  result: StepResult & { readonly kind: 'next' | 'again' },
): WorkflowState {
  const startedAt = current.startedAt ?? result.at
  if (result.kind === 'again') {
    const { since: _, retries, tries, ...rest } = current
    return { ...rest, startedAt, phase: 'observe', retries: retries + 1, tries: tries + 1 }
  }
  const { phase, standing } = result
  // A successful observation does not prove that a later phase works again.
  const tries = current.phase === 'observe' ? current.tries : 0
  const since = phase === current.phase ? (current.since ?? result.at) : result.at
  return { ...current, startedAt, since, phase, tries, standing }
}

/** Decides what follows a step: the next phase, a retry after a pause, or the end once retries are exhausted. */
export function decideStep(
  found: StepOutcome,
  current: WorkflowState,
  { order, now }: { readonly order: Pick<Order, 'timeoutMs'>; readonly now: number },
): StepAnswer {
  if (found.kind === 'next') return found
  const { end, summary } = found
  if (found.kind === 'end') return { kind: 'ended', end }
  const { tries, startedAt = now } = current
  const leftMs = order.timeoutMs - (now - startedAt)
  const pauseMs = computePause({ tries, isLocked: end.exitCode === exitCodes.locked, leftMs })
  if (pauseMs !== undefined) return { kind: 'again', why: summary, pauseMs }
  const times = tries === 0 ? '' : ` (tried ${tries + 1} times)`
  return { kind: 'ended', end: { ...end, message: `${end.message}${times}` } }
}

/** A failure that may be temporary. */
export interface RetryContext {
  /** Number of retries already made in a row. */
  readonly tries: number
  /** Another run holds the site: waiting for it has no maximum number of retries. */
  readonly isLocked: boolean
  /** Time left for the site. */
  readonly leftMs: number
}

const minuteMs = 60_000
/** Maximum pauses. A person watching should see progress; a restarted service is ready after 15 minutes. */
const maxPauseMs = { locked: 5 * minuteMs, other: 15 * minuteMs }
/** A failure that lasts for an hour needs a person. */
const maxTries = 8

/** Returns the pause before the next retry: 1, 2, 4 minutes and so on; `undefined` to give up. */
export function computePause({ tries, isLocked, leftMs }: RetryContext): number | undefined {
  if (!isLocked && tries >= maxTries) return undefined
  const pauseMs = Math.min(minuteMs * 2 ** tries, isLocked ? maxPauseMs.locked : maxPauseMs.other)
  return pauseMs < leftMs ? pauseMs : undefined
}
