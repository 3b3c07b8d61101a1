import type { Observation } from './observation.js'
import type { Situation } from './situation.js'
import type { SubmissionState } from './submission.js'

/**
 * Assumes an observation of a site that must not be read: its state was true when it was written, and a site without state
 * counts as new. A plan that is made so says it, and cannot be applied.
 */
export function assumeObservation({
  record,
  submission,
}: Pick<Situation, 'record' | 'submission'>): Observation {
  const kind =
    submission === undefined
      ? record.organization === undefined
        ? 'not-configured'
        : 'ready'
      : assumedStates[submission.state]
  return { kind, assumed: true, warnings: [], stages: [] }
}

/** A configuration that may be in progress is not shown; the planner checks for it anyway. */
const assumedStates: Readonly<Record<SubmissionState, Exclude<Observation['kind'], 'unrecognized'>>> = {
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
