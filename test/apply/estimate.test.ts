import { estimateLeftMs, selectTypicalTimings } from '../../src/apply/estimate.js'

/** The second and the third ran beside each other. */
const earlier = [
  { stage: 'Queue store', beganMs: 0, endedMs: 100 },
  { stage: 'Object store', beganMs: 100, endedMs: 300 },
  { stage: 'Usage statistics', beganMs: 100, endedMs: 200 },
  { stage: 'Pod replicas', beganMs: 300, endedMs: 400 },
]
const names = ['Queue store', 'Object store', 'Usage Statistics', 'Pod replicas']
const at = (...states: readonly string[]) => states.map((state, nth) => ({ name: names[nth] ?? 'x', state }))

test.each([
  ['all of it at the begin', at('not_started', 'not_started', 'not_started', 'not_started'), 0, 400],
  ['less the longer it runs', at('in_progress', 'not_started', 'not_started', 'not_started'), 60, 340],
  ['what came after, where a stage takes longer', at('in_progress', 'not_started'), 900, 300],
  ['no sum of what ran at once', at('completed', 'in_progress', 'in_progress', 'not_started'), 0, 300],
  ['the rest', at('completed', 'completed', 'completed', 'in_progress'), 30, 70],
  [
    'no more than that where others end first',
    at('completed', 'completed', 'in_progress', 'completed'),
    0,
    0,
  ],
  ['nothing where all is through', at('completed', 'completed', 'completed', 'not_applicable'), 0, undefined],
  [
    'nothing of a stage that was not timed',
    at('completed', 'completed', 'completed', 'completed', 'new'),
    0,
    undefined,
  ],
  ['nothing of no stages', [], 0, undefined],
])('the time left is %s', (_what, stages, sinceMs, left) => {
  expect(estimateLeftMs(earlier, { stages, sinceMs })).toBe(left)
})

test('without an earlier configuration nothing is made up', () => {
  expect(estimateLeftMs([], { stages: at('in_progress'), sinceMs: 0 })).toBeUndefined()
})

test.each([
  [[], undefined],
  [[5], 5],
  [[9, 5], 5],
  [[9, 5, 7], 7],
  [[1, 9, 5, 7], 5],
])('of configurations that took %j the one of %s is typical', (took, typical) => {
  const timed = took.map(endedMs => [
    { stage: 'Object store', beganMs: 0, endedMs },
    { stage: 'Queue store', beganMs: 0, endedMs: 1 },
  ])
  expect(selectTypicalTimings(timed)[0]?.endedMs).toBe(typical)
})
