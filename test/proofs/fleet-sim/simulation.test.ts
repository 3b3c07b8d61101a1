import { playFleet } from './fleet-play.js'
import { complaints } from './judge.js'
import { aSetting, hourMs, minuteMs, mistakes, type Setting } from './setting.js'

const busy = aSetting({
  sites: 120,
  workers: 4,
  limit: 6,
  fleetLimit: 20,
  waves: '5,20%,100%',
  urgent: { sites: 20, afterMs: 2 * hourMs },
  again: { sites: 10, afterMs: 2.5 * hourMs },
  deaths: [
    { worker: 1, atMs: 3 * hourMs },
    { worker: 2, atMs: 3 * hourMs + 5 * minuteMs },
  ],
})

/** Everything waits for a place from its begin on. */
const crowded = aSetting({
  sites: 80,
  limit: 5,
  fleetLimit: 15,
  urgent: { sites: 15, afterMs: hourMs },
  again: { sites: 80, afterMs: 1.5 * hourMs },
  deaths: [{ worker: 0, atMs: 2 * hourMs }],
})

/** Nothing waits but for its own site. */
const roomy = aSetting({ sites: 30, workers: 8, again: { sites: 30, afterMs: 10 * minuteMs } })

const settings: readonly (readonly [string, Setting])[] = [
  ['at rest', aSetting()],
  ['with a limit', aSetting({ fleetLimit: 15 })],
  ['in waves', aSetting({ waves: '1,10%,100%' })],
  ['with everything at once', busy],
  ['in a crowd', crowded],
  ['with room', roomy],
]
test.each(settings)('a fleet %s keeps its limits and its order, and loses no site', (_, setting) => {
  const runs = playFleet(setting)
  expect(complaints(runs, setting)).toEqual([])
})

describe('an engine that', () => {
  test.each(mistakes)('%s is found out', mistake => {
    const isFound = [busy, crowded, roomy].some(sound => {
      const setting = { ...sound, mistake }
      return complaints(playFleet(setting), setting).length > 0
    })
    expect(isFound).toBe(true)
  })
})

test('the same fleet has the same course', () => {
  expect(playFleet(busy)).toEqual(playFleet(busy))
})

test('a wave that did not end well leaves the later ones alone', () => {
  const runs = playFleet(aSetting({ sites: 300, waves: '50%,100%', keepsGoing: false }))
  expect(runs.some(({ wave, state }) => wave === 0 && state !== 'done')).toBe(true)
  expect(runs.every(({ wave, queuedMs }) => (wave === 0) === (queuedMs !== undefined))).toBe(true)
})
