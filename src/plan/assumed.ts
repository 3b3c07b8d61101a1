import type { Observation } from './observation.js'
import type { Situation } from './situation.js'
import type { SubmissionState } from './submission.js'

/**
 * What a site is taken to be where nobody may look: what is kept of it was true when it was written, and a site of which
 * nothing is kept is taken for a new one. A plan says that it was made so, and is never performed.
 */
export function assumedObservation({
  record,
  submission,
}: Pick<Situation, 'record' | 'submission'>): Observation {
  const kind =
    submission === undefined
      ? record.organization === undefined
        ? 'not-configured'
        : 'ready'
      : leftBy[submission.state]
  const message = kind === 'failed' ? { message: 'so it said when it was last looked at' } : {}
  return { kind, assumed: true, warnings: [], stages: [], ...message }
}

/** What may be under way does not show: the planner looks after it all the same. */
const leftBy: Readonly<Record<SubmissionState, Exclude<Observation['kind'], 'unrecognized'>>> = {
  intent: 'not-configured',
  'not-sent': 'not-configured',
  rejected: 'not-configured',
  acknowledged: 'not-configured',
  unknown: 'not-configured',
  begun: 'in-progress',
  ready: 'ready',
  failed: 'failed',
  cleared: 'not-configured',
}
