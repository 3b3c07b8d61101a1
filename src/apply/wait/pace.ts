import type { ServiceFailure } from '../../client/failure.js'

/** What decides how long to leave the site alone. */
export interface Pace {
  readonly pollMs: number
  /** Looks in a row that failed. */
  readonly failures: number
  /** Why the last look failed, if it did. */
  readonly failure: ServiceFailure | undefined
  /** From 0 to 1. */
  readonly random: number
}

const longestBackOffMs = 60_000
const asked = { leastMs: 1000, mostMs: 300_000 } as const

/**
 * The time to the next look, spread so that many runs do not look at once. After failed looks it doubles, up to a
 * minute; what the site asks for itself counts from a second to five minutes.
 */
export function pauseMs({ pollMs, failures, failure, random }: Pace): number {
  if (failure?.kind === 'trouble' && failure.retryAfterMs !== undefined) {
    const wanted = Math.min(Math.max(failure.retryAfterMs, asked.leastMs), asked.mostMs)
    return Math.max(wanted, pollMs) * (1 + random * 0.1)
  }
  const doubled = pollMs * 2 ** Math.min(Math.max(failures - 1, 0), 30)
  const backedOff = Math.max(pollMs, Math.min(doubled, longestBackOffMs))
  return backedOff * (0.9 + random * 0.2)
}
