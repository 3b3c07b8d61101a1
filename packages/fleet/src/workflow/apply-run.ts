import { exitCodes } from 'landform/cli'
import { formatDuration } from 'landform/report'
import type { Order, RunEnd } from '../model/run.js'
import { classifyExitCode, classifyOutcome, type RunEnding } from './ends.js'
import { createSiteWatcher, performStep, planStep, type StepContext } from './perform.js'
import type { RunPorts } from './run-ports.js'
import { createRunReporter } from './run-reporter.js'
import {
  advanceState,
  decideStep,
  initialState,
  type StepOutcome,
  type StepResult,
  type WorkflowState,
} from './workflow-state.js'

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

/** Creates the steps of a run. None rejects, because the engine would store the text of a foreign exception. */
function createSiteSteps(order: Order, ports: RunPorts) {
  const { clock, runLog, cancelled, leaving } = ports
  const reporter = createRunReporter(runLog, clock)
  const step: StepContext = { ...ports, order, reporter, stop: AbortSignal.any([cancelled, leaving]) }
  const watcher = createSiteWatcher(step)
  let isStarted = false
  let release: (() => Promise<void>) | undefined

  const work = async (current: WorkflowState): Promise<StepOutcome> => {
    // It may have waited for its turn until the worker leaves.
    if (leaving.aborted) return { kind: 'next', phase: current.phase, standing: current.standing }
    if (cancelled.aborted) return endCancelledRun(current, order)
    if (!isStarted && (await runLog.start()) === 'cancelled') return endCancelledRun(current, order)
    isStarted = true
    if (release === undefined) {
      const taken = await ports.hold()
      if (taken.kind === 'locked')
        return classifyExitCode(exitCodes.locked, `nothing was sent: ${taken.by} holds the lock of the site`)
      release = taken.release
    }
    reporter.progress({ phase: current.phase, message: '' })
    // A wait may report nothing for minutes.
    await reporter.flush()
    if (current.phase === 'observe') return planStep(current, step)
    return current.phase === 'wait' ? watcher.watch(current) : performStep(current, step)
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
    async run(current: WorkflowState): Promise<StepResult> {
      const begin = clock.now()
      const found = ignoreInterrupt(await work(current).catch(classifyException), current)
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
      const { phase, since = begin } = current
      if (answer.kind !== 'next' || answer.phase !== phase)
        ports.report?.({ type: 'phase-ended', phase, durationMs: at - since })
      return { ...answer, at }
    },
    /** Releases the site; the service continues. */
    async leave() {
      await watcher.close()
      await release?.()
    },
  }
}

/** An unreachable database is a failure like any other; every other exception is a bug, and its text is not shown. */
function classifyException(error: unknown): RunEnding {
  const { name } = error as Error
  if (name === 'DatabaseError') return classifyExitCode(exitCodes.state, 'the fleet database did not respond')
  const what = /^[A-Za-z]{1,40}$/.test(name) ? ` (${name})` : ''
  const message = `internal error${what}; this is a bug in Landform, please report it`
  return classifyExitCode(exitCodes.internal, message)
}

const neverObserved = { kind: 'unknown', operation: 'configure', reason: 'run-cancelled' } as const

/** Returns the result of a cancelled run. If the outcome of a request is unknown, the run still needs an operator. */
function endCancelledRun({ phase, standing }: WorkflowState, order: Order): RunEnding {
  if (standing.isOpen) return classifyOutcome(neverObserved, order)
  const isUnderWay = phase === 'wait' || standing.begun
  const rest = isUnderWay ? 'a configuration in progress continues on the service' : 'nothing was sent'
  return classifyExitCode(exitCodes.interrupted, `cancelled: ${rest}`)
}
