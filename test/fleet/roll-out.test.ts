import { advanceRollout, decideAfterWave } from '../../packages/fleet/src/model/submission.js'
import type { RunState } from '../../src/plan/run-state.js'

describe('the end of a wave', () => {
  const table: readonly (readonly [readonly RunState[], boolean, string])[] = [
    [['done', 'done'], false, 'goes-on'],
    [['done', 'cancelled'], false, 'goes-on'],
    [['done', 'queued'], false, 'open'],
    [['failed', 'running'], false, 'open'],
    [['failed', 'waiting'], true, 'open'],
    [['done', 'failed'], false, 'stops'],
    [['done', 'ambiguous'], false, 'stops'],
    [['refused'], false, 'stops'],
    [['unfinished'], false, 'stops'],
    [['done', 'failed'], true, 'goes-on'],
    [[], false, 'goes-on'],
  ]
  test.each(table)(
    'with runs in the states %j, and keepsGoing %s, is judged as %s',
    (states, keepsGoing, verdict) => {
      expect(decideAfterWave(states, keepsGoing)).toBe(verdict)
    },
  )
})

test.each([
  ['a wave that has ended begins the next one', 1, ['done', 'done'], false, { wave: 2, state: 'running' }],
  ['a wave with running runs is waited for', 1, ['done', 'running'], false, undefined],
  [
    'a wave with a failure leaves the later ones waiting',
    2,
    ['failed'],
    false,
    { wave: 2, state: 'stopped' },
  ],
  ['with keepsGoing every wave begins', 2, ['failed'], true, { wave: 3, state: 'running' }],
  ['a failure in the last wave stops nothing', 3, ['failed'], false, { wave: 3, state: 'done' }],
  ['the end of the last wave is the end of the rollout', 3, ['done'], false, { wave: 3, state: 'done' }],
] as const)('%s', (_, wave, sites, keepsGoing, next) => {
  expect(advanceRollout({ wave, waves: 3, keepsGoing }, sites)).toEqual(next)
})
