/**
 * A run of a site in a fleet. `maxBusy` is for a site that another run holds or that is being configured, so that a person
 * watching sees progress. A restarted service is ready after 15 minutes.
 */
const pauseMs = { first: 60_000, maxBusy: 5 * 60_000, max: 15 * 60_000 } as const
/** A run of a site in a fleet. A failure that lasts for an hour needs a person. */
const maxTries = 9

/**
 * Returns the pause before the next retry (1, 2, 4 … minutes), or `undefined` to give up: after too many tries in a row, or
 * if less time is left for the site. A busy site has tries for all that time.
 */
export function computePause(tries: number, leftMs: number, isBusy: boolean): number | undefined {
  if (!isBusy && tries + 1 >= maxTries) return undefined
  const nextMs = Math.min(pauseMs.first * 2 ** tries, isBusy ? pauseMs.maxBusy : pauseMs.max)
  return nextMs < leftMs ? nextMs : undefined
}
