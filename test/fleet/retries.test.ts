import { computePause } from '../../packages/fleet/src/workflow/retries.js'

const minuteMs = 60_000

/** The pauses in minutes until there are no more retries, for a site with this time. */
function pauses(minutes: number, isLocked = false): readonly number[] {
  const found: number[] = []
  let leftMs = minutes * minuteMs
  for (let tries = 0; ; tries += 1) {
    const pauseMs = computePause(tries, leftMs, isLocked)
    if (pauseMs === undefined) return found
    found.push(pauseMs / minuteMs)
    leftMs -= pauseMs
  }
}

test('failures are retried after growing pauses, for about an hour', () => {
  expect(pauses(1000)).toEqual([1, 2, 4, 8, 15, 15, 15, 15])
})

test('a locked site is retried as long as its time allows', () => {
  const found = pauses(180, true)
  expect(found.slice(0, 5)).toEqual([1, 2, 4, 5, 5])
  expect(found.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(170)
})

test('nothing is retried after the time of the site is up', () => {
  expect(pauses(1)).toEqual([])
  expect(pauses(5)).toEqual([1, 2])
})
