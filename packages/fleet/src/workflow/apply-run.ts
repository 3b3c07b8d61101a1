import { exitCodes } from 'landform/cli'
import { formatDuration } from 'landform/report'
import type { StageTiming } from 'landform/state'
import type { Order, Phase, RunEnd } from '../model/run.js'
import { classifyExitCode, classifyOutcome, type RunEnding } from './ends.js'
import { createSiteWatcher, performStep, planStep } from './perform.js'
import type { RunPorts, SiteHold, StepContext } from './run-ports.js'
import { createRunReporter } from './run-reporter.js'

/**
 * Applies the manifest of one site: observe, configure, wait, update. Every decision depends only on the results of steps,
 * so a replay after a crash takes the same path. `configure` is sent by the executor of `landform apply` with its
 * submission intent, so a repeated step sends it once.
 */
export async function applyRun(order: Order, ports: RunPorts): Promise<RunEnd> {
  const site = createSiteSteps(order, ports)
  try {
    let current = initialState
    for (let number = 1; ; number += 1) {
      const before = current
      const result = await ports.steps.run(`${before.phase} ${number}`, () => site.run(before))
      if (result.kind === 'ended') {
        await ports.runLog.end(result.end)
        return result.end
      }
      current = advanceState(before, result)
      // The next step reports the cancellation and must not be delayed by the pause.
      if (result.kind === 'again') await ports.steps.sleep(result.pauseMs, ports.cancelled)
    }
  } finally {
    await site.leave()
  }
}

/** The steps of one run in this process. */
export interface SiteSteps {
  run(current: WorkflowState): Promise<StepResult>
  /** Releases the site; the service continues. */
  leave(): Promise<void>
}

/** Creates the steps of a run. None rejects, because the engine would store the text of a foreign exception. */
export function createSiteSteps(order: Order, ports: RunPorts): SiteSteps {
  const { clock, runLog, cancelled, leaving } = ports
  const reporter = createRunReporter(runLog, clock)
  const step: StepContext = {
    ...ports,
    runLog,
    order,
    reporter,
    stop: AbortSignal.any([cancelled, leaving]),
  }
  const watcher = createSiteWatcher(step)
  let isStarted = false
  let hold: (SiteHold & { readonly kind: 'held' }) | undefined

  const work = async (current: WorkflowState): Promise<StepOutcome> => {
    // It may have waited for its turn until the worker leaves.
    if (leaving.aborted) return { kind: 'next', phase: current.phase, standing: current.standing }
    if (cancelled.aborted) return endCancelledRun(current, order)
    if (!isStarted && (await runLog.start()) === 'cancelled') return endCancelledRun(current, order)
    isStarted = true
    if (hold === undefined) {
      const taken = await ports.hold()
      if (taken.kind === 'locked')
        return classifyExitCode(exitCodes.locked, `nothing was sent: ${taken.by} holds the lock of the site`)
      hold = taken
    }
    reporter.progress({ phase: current.phase, message: '' })
    // A wait may report nothing for minutes.
    await reporter.flush()
    switch (current.phase) {
      case 'observe':
        return planStep(current, step)
      case 'configure':
      case 'update':
        return performStep(current, step)
      case 'wait':
        return watcher.watch(current)
      default:
        return current.phase satisfies never
    }
  }
  /** An interrupt ends a run only if a person cancelled it; a worker that leaves ends nothing. */
  const ignoreInterrupt = (found: StepOutcome, current: WorkflowState): StepOutcome => {
    const isCut = found.kind === 'again' || (found.kind === 'end' && found.end.state === 'cancelled')
    if (!isCut || !step.stop.aborted) return found
    return cancelled.aborted
      ? endCancelledRun(current, order)
      : { kind: 'next', phase: current.phase, standing: current.standing }
  }
  return {
    async run(current) {
      const begin = clock.now()
      const found = ignoreInterrupt(await withErrorBoundary(() => work(current)), current)
      const answer = decideStep(found, current, { order, now: clock.now() })
      if (answer.kind === 'again') {
        const { why, pauseMs } = answer
        const message = `${why}; retrying in ${formatDuration(pauseMs)}`
        reporter.note({ type: 'retry', message })
        reporter.progress({ message, retries: current.retries + 1 })
        ports.report?.({ type: 'run-retried', why, pauseMs })
      }
      await reporter.flush()
      const at = clock.now()
      if (answer.kind !== 'next' || answer.phase !== current.phase)
        ports.report?.({
          type: 'phase-ended',
          phase: current.phase,
          durationMs: at - (current.since ?? begin),
        })
      return { ...answer, at }
    },
    async leave() {
      await watcher.close()
      await hold?.release()
    },
  }
}

/**
 * Converts exceptions to results. An unreachable database is a failure like any other; every other exception is a bug, and
 * its text is not shown.
 */
export async function withErrorBoundary(work: () => Promise<StepOutcome>): Promise<StepOutcome> {
  try {
    return await work()
  } catch (error) {
    const { name } = error as Error
    if (name === 'DatabaseError')
      return classifyExitCode(exitCodes.state, 'the fleet database did not respond')
    const what = /^[A-Za-z]{1,40}$/.test(name) ? ` (${name})` : ''
    return classifyExitCode(
      exitCodes.internal,
      `internal error${what}; this is a bug in Landform, please report it`,
    )
  }
}

const neverObserved = {
  kind: 'unknown',
  operation: 'configure',
  reason: 'run-cancelled',
} as const

/** Returns the result of a cancelled run. If the outcome of a request is unknown, the run still needs an operator. */
export function endCancelledRun({ phase, standing }: WorkflowState, order: Order): RunEnding {
  if (standing.isOpen) return classifyOutcome(neverObserved, order)
  const isUnderWay = phase === 'wait' || standing.begun
  const rest = isUnderWay ? 'a configuration in progress continues on the service' : 'nothing was sent'
  return classifyExitCode(exitCodes.interrupted, `cancelled: ${rest}`)
}

interface DecisionContext {
  readonly order: Pick<Order, 'timeoutMs'>
  readonly now: number
}

/** Decides what follows a step: the next phase, a retry after a pause, or the end once retries are exhausted. */
export function decideStep(
  found: StepOutcome,
  current: WorkflowState,
  { order, now }: DecisionContext,
): StepAnswer {
  if (found.kind === 'next') return found
  const { end, summary } = found
  if (found.kind === 'end') return { kind: 'ended', end }
  const { tries, startedAt = now } = current
  const leftMs = order.timeoutMs - (now - startedAt)
  const isLocked = end.exitCode === exitCodes.locked
  const pauseMs = computePause({ tries, isLocked, leftMs })
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
