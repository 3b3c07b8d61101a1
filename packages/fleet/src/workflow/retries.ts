/** A failure that may be temporary. */
export interface RetryContext {
  /** Number of retries already made in a row. */
  readonly tries: number
  /** Another run holds the site: waiting for it has no maximum number of retries. */
  readonly isLocked: boolean
  /** Time left for the site. */
  readonly leftMs: number
}

const minuteMs = 60_000
/** Maximum pauses. A person watching should see progress; a restarted service is ready after 15 minutes. */
const maxPauseMs = { locked: 5 * minuteMs, other: 15 * minuteMs }
/** A failure that lasts for an hour needs a person. */
const maxTries = 8

/** Returns the pause before the next retry: 1, 2, 4 minutes and so on; `undefined` to give up. */
export function computePause({ tries, isLocked, leftMs }: RetryContext): number | undefined {
  if (!isLocked && tries >= maxTries) return undefined
  const pauseMs = Math.min(minuteMs * 2 ** tries, isLocked ? maxPauseMs.locked : maxPauseMs.other)
  return pauseMs < leftMs ? pauseMs : undefined
}
