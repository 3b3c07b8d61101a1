import { exitCodes } from '../../../../src/cli/exit-code.js'
import { formatDuration } from '../../../../src/report/duration.js'
import type { Order } from '../model/run.js'
import { cancelledAt } from './cancelled.js'
import { contained } from './contained.js'
import type { Course, Found, StepResult } from './course.js'
import { decided } from './decided.js'
import { endOfCode } from './ends.js'
import { follower } from './follower.js'
import { performed, planned } from './perform.js'
import type { Hold, RunPorts } from './run-ports.js'
import { teller } from './teller.js'

/** The steps of one run in this process. */
export interface SiteSteps {
  take(course: Course): Promise<StepResult>
  /** Releases the site; the service continues. */
  leave(): Promise<void>
}

/** Creates the steps of a run. None rejects, because the engine would store the text of a foreign exception. */
export function siteSteps(order: Order, ports: RunPorts): SiteSteps {
  const { clock, diary, cancelled, leaving } = ports
  const told = teller(diary, clock)
  const step = { ...ports, order, told, stop: AbortSignal.any([cancelled, leaving]) }
  const following = follower(step)
  let isStarted = false
  let hold: (Hold & { readonly kind: 'held' }) | undefined

  const work = async (course: Course): Promise<Found> => {
    if (cancelled.aborted) return cancelledAt(course, order)
    if (!isStarted && (await diary.start()) === 'cancelled') return cancelledAt(course, order)
    isStarted = true
    if (hold === undefined) {
      const taken = await ports.hold()
      if (taken.kind === 'locked')
        return endOfCode(exitCodes.locked, `nothing was sent: ${taken.by} holds the lock of the site`)
      hold = taken
    }
    told.progress({ phase: course.phase, message: '' })
    // A wait may report nothing for minutes.
    await told.flush()
    switch (course.phase) {
      case 'observe':
        return planned(course, step)
      case 'configure':
      case 'update':
        return performed(course, step)
      case 'wait':
        return following.look(course)
      default:
        return course.phase satisfies never
    }
  }
  /** An interrupt ends a run only if a person cancelled it; a worker that leaves ends nothing. */
  const uninterrupted = (found: Found, course: Course): Found => {
    const isCut = found.kind === 'again' || (found.kind === 'end' && found.end.state === 'cancelled')
    if (!isCut || !step.stop.aborted) return found
    return cancelled.aborted
      ? cancelledAt(course, order)
      : { kind: 'next', phase: course.phase, standing: course.standing }
  }
  return {
    async take(course) {
      const begin = clock.now()
      const found = uninterrupted(await contained(() => work(course)), course)
      const answer = decided(found, course, { order, now: clock.now() })
      if (answer.kind === 'again') {
        const { why, pauseMs } = answer
        const message = `${why}; retrying in ${formatDuration(pauseMs)}`
        told.note({ type: 'retry', message })
        told.progress({ message, retries: course.retries + 1 })
        ports.tell?.({ type: 'run-retried', why, pauseMs })
      }
      await told.flush()
      const at = clock.now()
      if (answer.kind !== 'next' || answer.phase !== course.phase)
        ports.tell?.({ type: 'phase-ended', phase: course.phase, durationMs: at - (course.since ?? begin) })
      return { ...answer, at }
    },
    async leave() {
      await following.close()
      await hold?.release()
    },
  }
}
