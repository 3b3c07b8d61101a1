import { exitCodes } from '../../../../src/cli/exit-code.js'
import { formatDuration } from '../../../../src/report/duration.js'
import type { Order } from '../model/run.js'
import { cancelledAt } from './cancelled.js'
import { contained } from './contained.js'
import type { Course, Found, StepResult } from './course.js'
import { decided } from './decided.js'
import { endOfCode } from './ends.js'
import { follower } from './follower.js'
import type { OfStep } from './of-step.js'
import { performed, planned } from './perform.js'
import type { Hold, RunPorts } from './run-ports.js'
import { teller } from './teller.js'

/** The steps of one run in this process. */
export interface SiteSteps {
  take(current: Course): Promise<StepResult>
  /** Releases the site; the service continues. */
  leave(): Promise<void>
}

/** Creates the steps of a run. None rejects, because the engine would store the text of a foreign exception. */
export function siteSteps(order: Order, ports: RunPorts): SiteSteps {
  const { clock, diary: runLog, cancelled, leaving } = ports
  const reporter = teller(runLog, clock)
  const step: OfStep = {
    ...ports,
    diary: runLog,
    order,
    told: reporter,
    stop: AbortSignal.any([cancelled, leaving]),
  }
  const following = follower(step)
  let isStarted = false
  let hold: (Hold & { readonly kind: 'held' }) | undefined

  const work = async (current: Course): Promise<Found> => {
    if (cancelled.aborted) return cancelledAt(current, order)
    if (!isStarted && (await runLog.start()) === 'cancelled') return cancelledAt(current, order)
    isStarted = true
    if (hold === undefined) {
      const taken = await ports.hold()
      if (taken.kind === 'locked')
        return endOfCode(exitCodes.locked, `nothing was sent: ${taken.by} holds the lock of the site`)
      hold = taken
    }
    reporter.progress({ phase: current.phase, message: '' })
    // A wait may report nothing for minutes.
    await reporter.flush()
    switch (current.phase) {
      case 'observe':
        return planned(current, step)
      case 'configure':
      case 'update':
        return performed(current, step)
      case 'wait':
        return following.look(current)
      default:
        return current.phase satisfies never
    }
  }
  /** An interrupt ends a run only if a person cancelled it; a worker that leaves ends nothing. */
  const uninterrupted = (found: Found, current: Course): Found => {
    const isCut = found.kind === 'again' || (found.kind === 'end' && found.end.state === 'cancelled')
    if (!isCut || !step.stop.aborted) return found
    return cancelled.aborted
      ? cancelledAt(current, order)
      : { kind: 'next', phase: current.phase, standing: current.standing }
  }
  return {
    async take(current) {
      const begin = clock.now()
      const found = uninterrupted(await contained(() => work(current)), current)
      const answer = decided(found, current, { order, now: clock.now() })
      if (answer.kind === 'again') {
        const { why, pauseMs } = answer
        const message = `${why}; retrying in ${formatDuration(pauseMs)}`
        reporter.note({ type: 'retry', message })
        reporter.progress({ message, retries: current.retries + 1 })
        ports.tell?.({ type: 'run-retried', why, pauseMs })
      }
      await reporter.flush()
      const at = clock.now()
      if (answer.kind !== 'next' || answer.phase !== current.phase)
        ports.tell?.({ type: 'phase-ended', phase: current.phase, durationMs: at - (current.since ?? begin) })
      return { ...answer, at }
    },
    async leave() {
      await following.close()
      await hold?.release()
    },
  }
}
