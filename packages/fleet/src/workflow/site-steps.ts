import { exitCodes } from 'landform/cli'
import { formatDuration } from 'landform/report'
import type { Order } from '../model/run.js'
import { decideStep } from './decide-step.js'
import { endCancelledRun } from './end-cancelled-run.js'
import { classifyExitCode } from './ends.js'
import { performStep, planStep } from './perform.js'
import type { RunPorts, SiteHold } from './run-ports.js'
import { createRunReporter } from './run-reporter.js'
import { createSiteWatcher } from './site-watcher.js'
import type { StepContext } from './step-context.js'
import { withErrorBoundary } from './with-error-boundary.js'
import type { StepOutcome, StepResult, WorkflowState } from './workflow-state.js'

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
