import type { Submission } from './generated/state.js'

export type {
  Drain,
  Holder,
  MachineTime,
  StageTiming,
  Submission,
  SubmissionState,
} from './generated/state.js'

/** The liveness of the process of a holder; `elsewhere` where it cannot be checked from this machine. */
export type Liveness = 'alive' | 'dead' | 'elsewhere'

/** True where a request, or its configuration, may be under way: the site is then only polled. */
export function isPending({ state }: Submission): boolean {
  return state === 'intent' || state === 'acknowledged' || state === 'unknown'
}

/** True where our configuration is known to have begun. */
export function hasBegun({ state }: Submission): boolean {
  return state === 'begun' || state === 'ready' || state === 'failed'
}

/** True where the submission may have started the configuration that the site shows; otherwise it is foreign. */
export function mayBeOurs(submission: Submission): boolean {
  return isPending(submission) || hasBegun(submission)
}
