import type { StageTiming } from '../../../../src/plan/submission.js'
import type { Phase } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import type { Ending } from './ends.js'

/** What is known of a configuration before it is followed. Small, for it is kept with every step. */
export interface Standing {
  /** A request went out, and nobody knows what came of it. */
  readonly isOpen: boolean
  /** The site is known to have begun. */
  readonly begun: boolean
  /** The version that the site told. */
  readonly version?: string
  /** When the stages ran, as a wait saw it; by the names of the contract. */
  readonly timings?: readonly StageTiming[]
}

interface Next {
  readonly kind: 'next'
  readonly phase: Phase
  readonly standing: Standing
}

/** What a step found: how it goes on, or how something ended. */
export type Found = Next | Ending

/** What follows from it. */
export type StepAnswer =
  | Next
  | { readonly kind: 'again'; readonly why: string; readonly pauseMs: number }
  | { readonly kind: 'ended'; readonly end: RunEnd }

/** What a step answers, as the engine keeps it: nothing but words of Landform. `at` is the time after it. */
export type StepResult = { readonly at: number } & StepAnswer

/** Where the workflow of a site stands: what the steps before have shown, and nothing else. */
export interface Course {
  readonly phase: Phase
  /** When its time began to run; absent before the first step. */
  readonly startedAt?: number
  /** When its phase began; absent where that is with the next step. */
  readonly since?: number
  /** How often something was tried again, and how often in a row. */
  readonly retries: number
  readonly tries: number
  readonly standing: Standing
}

export const newCourse: Course = {
  phase: 'observe',
  retries: 0,
  tries: 0,
  standing: { isOpen: false, begun: false },
}

/** The course after a step that was no end. What is tried again begins with a look: much may have happened meanwhile. */
export function courseAfter(
  course: Course,
  result: StepResult & { readonly kind: 'next' | 'again' },
): Course {
  const startedAt = course.startedAt ?? result.at
  if (result.kind === 'again') {
    const { since: _, retries, tries, ...rest } = course
    return { ...rest, startedAt, phase: 'observe', retries: retries + 1, tries: tries + 1 }
  }
  const { phase, standing } = result
  // A look that succeeds does not mend what failed after it.
  const tries = course.phase === 'observe' ? course.tries : 0
  const since = phase === course.phase ? (course.since ?? result.at) : result.at
  return { ...course, startedAt, since, phase, tries, standing }
}
