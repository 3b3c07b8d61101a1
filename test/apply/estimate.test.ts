import { estimateLeftMs } from '../../src/apply/estimate.js'

/** The second and the third overlapped. */
const earlier = [
  { stage: 'Queue store', beganMs: 0, endedMs: 100 },
  { stage: 'Object store', beganMs: 100, endedMs: 300 },
  { stage: 'Usage statistics', beganMs: 100, endedMs: 200 },
  { stage: 'Pod replicas', beganMs: 300, endedMs: 400 },
]
const names = ['Queue store', 'Object store', 'Usage Statistics', 'Pod replicas']
const at = (...states: readonly string[]) => states.map((state, nth) => ({ name: names[nth] ?? 'x', state }))
const took = (endedMs: number) => [{ stage: 'Queue store', beganMs: 0, endedMs }]
const afterOne = at('completed', 'in_progress', 'in_progress', 'not_started')

test.each([
  ['the whole duration minus the completed stages', afterOne, 0, 100, 300],
  ['less the longer it runs', afterOne, 60, 100, 240],
  ['what followed, if a stage takes longer than before', afterOne, 900, 100, 200],
  ['longer if the observed stages took longer', afterOne, 0, 1000, 3000],
  ['shorter if they took less', afterOne, 0, 10, 30],
  ['the rest', at('completed', 'completed', 'completed', 'in_progress'), 30, 100, 70],
  [
    'unknown once the estimate is used up',
    at('completed', 'completed', 'completed', 'in_progress'),
    300,
    100,
    undefined,
  ],
  ['unknown if the durations of the stages were too short to measure', afterOne, 0, 0, undefined],
  [
    'unknown once all stages are complete',
    at('completed', 'completed', 'completed', 'not_applicable'),
    0,
    100,
    undefined,
  ],
  [
    'unknown for a stage without earlier times',
    at('completed', 'completed', 'completed', 'completed', 'new'),
    0,
    100,
    undefined,
  ],
  [
    'unknown if one of two stages has no earlier times',
    at('completed', 'in_progress', 'completed', 'completed', 'new'),
    0,
    100,
    undefined,
  ],
  ['unknown without stages', [], 0, 100, undefined],
  [
    'what followed the last completed stage, although an earlier one is not complete',
    at('completed', 'completed', 'in_progress', 'in_progress'),
    900,
    100,
    undefined,
  ],
])('the time left is %s', (_what, stages, sinceMs, seenMs, left) => {
  expect(estimateLeftMs(earlier, { stages, sinceMs, seen: took(seenMs) })).toBe(left)
})

test('the time left considers only the stages that both runs have seen, each with its duration', () => {
  const seen = [
    { stage: 'Object store', beganMs: 1000, endedMs: 1400 },
    { stage: 'License validation', beganMs: 0, endedMs: 1000 },
  ]
  const stages = [
    { name: 'License validation', state: 'completed' },
    ...at('completed', 'completed', 'in_progress', 'not_started'),
  ]
  expect(estimateLeftMs(earlier, { stages, sinceMs: 0, seen })).toBe(200)
})

test.each([
  ['without an earlier configuration', [], took(100)],
  ['before a stage was seen from beginning to end', earlier, []],
  ['for stages without earlier times', earlier, [{ stage: 'License validation', beganMs: 0, endedMs: 9 }]],
])('%s there is no estimate', (_what, then, seen) => {
  expect(estimateLeftMs(then, { stages: afterOne, sinceMs: 0, seen })).toBeUndefined()
})
