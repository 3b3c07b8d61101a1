import type { Observation } from './observation.js'
import type { Situation } from './situation.js'
import type { SubmissionState } from './submission.js'

/**
 * Derives an observation from the stored state, for a site that must not be read. A site without state counts as new.
 * A plan that is made from it is marked as such and cannot be applied.
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

/** The site state to assume for each submission. A pending one counts as not configured: the planner checks for it. */
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
