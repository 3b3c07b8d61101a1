import type { ServiceFailure } from '../../client/failure.js'

/** The facts that decide the pause before the next poll. */
export interface BackOff {
  readonly pollMs: number
  /** Polls in a row that failed. */
  readonly failures: number
  /** The failure of the last poll, if it failed. */
  readonly failure: ServiceFailure | undefined
  /** From 0 to 1. */
  readonly random: number
}

const maxBackOffMs = 60_000
const retryAfterBounds = { leastMs: 1000, mostMs: 300_000 } as const

/**
 * Computes the pause before the next poll, with jitter so that many runs do not poll at once. After failed polls it
 * doubles, up to a minute; a pause that the site asks for is kept within one second and five minutes.
 */
export function computePauseMs({ pollMs, failures, failure, random }: BackOff): number {
  if (failure?.kind === 'trouble' && failure.retryAfterMs !== undefined) {
    const wanted = Math.min(Math.max(failure.retryAfterMs, retryAfterBounds.leastMs), retryAfterBounds.mostMs)
    return Math.max(wanted, pollMs) * (1 + random * 0.1)
  }
  const doubled = pollMs * 2 ** Math.min(Math.max(failures - 1, 0), 30)
  const backedOff = Math.max(pollMs, Math.min(doubled, maxBackOffMs))
  return backedOff * (0.9 + random * 0.2)
}
