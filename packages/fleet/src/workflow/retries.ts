/** Something that may pass by itself. */
export interface Trouble {
  /** How often it was tried again already, in a row. */
  readonly tries: number
  /** Another run has the site: that takes as long as it takes. */
  readonly isLocked: boolean
  /** How much of the time that the site may take is left. */
  readonly leftMs: number
}

const minuteMs = 60_000
/** Somebody who looks is to see that it goes on; a service that starts anew is ready after a quarter of an hour. */
const longestMs = { locked: 5 * minuteMs, other: 15 * minuteMs }
/** What lasts for an hour is mended by a person. */
const mostTries = 8

/** How long to wait before something is tried again: 1, 2, 4 minutes and so on; nothing where it is given up. */
export function pauseBefore({ tries, isLocked, leftMs }: Trouble): number | undefined {
  if (!isLocked && tries >= mostTries) return undefined
  const pauseMs = Math.min(minuteMs * 2 ** tries, isLocked ? longestMs.locked : longestMs.other)
  return pauseMs < leftMs ? pauseMs : undefined
}
