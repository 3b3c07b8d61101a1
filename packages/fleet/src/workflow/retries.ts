const minuteMs = 60_000
/** Maximum pauses. A person watching should see progress; a restarted service is ready after 15 minutes. */
const maxPauseMs = { locked: 5 * minuteMs, other: 15 * minuteMs }
/** A failure that lasts for an hour needs a person. */
const maxTries = 8

/**
 * Returns the pause before the next retry: 1, 2, 4 minutes and so on; `undefined` to give up, after some retries in a row
 * or where less time is left for the site. Waiting for another run that holds the site has no maximum number of retries.
 */
export function computePause(tries: number, leftMs: number, isLocked: boolean): number | undefined {
  if (!isLocked && tries >= maxTries) return undefined
  const pauseMs = Math.min(minuteMs * 2 ** tries, isLocked ? maxPauseMs.locked : maxPauseMs.other)
  return pauseMs < leftMs ? pauseMs : undefined
}
