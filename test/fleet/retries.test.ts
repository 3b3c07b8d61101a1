import { computePause, type RetryContext } from '../../packages/fleet/src/workflow/retries.js'

const minuteMs = 60_000

/** The pauses in minutes until it is given up, with so much time. */
function pauses(changes: Partial<RetryContext> & { readonly minutes: number }): readonly number[] {
  const found: number[] = []
  let leftMs = changes.minutes * minuteMs
  for (let tries = 0; ; tries += 1) {
    const pauseMs = computePause({ isLocked: false, ...changes, tries, leftMs })
    if (pauseMs === undefined) return found
    found.push(pauseMs / minuteMs)
    leftMs -= pauseMs
  }
}

test('trouble is tried again after pauses that grow, for an hour or so', () => {
  expect(pauses({ minutes: 1000 })).toEqual([1, 2, 4, 8, 15, 15, 15, 15])
})

test('another run is waited for as long as the site may take', () => {
  const found = pauses({ minutes: 180, isLocked: true })
  expect(found.slice(0, 5)).toEqual([1, 2, 4, 5, 5])
  expect(found.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(170)
})

test('nothing is tried again after the time of the site is up', () => {
  expect(pauses({ minutes: 1 })).toEqual([])
  expect(pauses({ minutes: 5 })).toEqual([1, 2])
})
