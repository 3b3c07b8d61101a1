import { advanceRollout, decideAfterWave } from '../../packages/fleet/src/model/submission.js'
import type { RunState } from '../../src/plan/run-state.js'

describe('after a wave', () => {
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
  test.each(table)('of %j, keeping going: %s, it is %s', (states, keepsGoing, verdict) => {
    expect(decideAfterWave(states, keepsGoing)).toBe(verdict)
  })
})

test.each([
  ['a wave that has ended begins the next one', 1, ['done', 'done'], false, { wave: 2, state: 'running' }],
  ['one that goes on is waited for', 1, ['done', 'running'], false, undefined],
  [
    'one that did not end well leaves the later ones waiting',
    2,
    ['failed'],
    false,
    { wave: 2, state: 'stopped' },
  ],
  ['who keeps going begins every wave', 2, ['failed'], true, { wave: 3, state: 'running' }],
  ['the last wave stops nothing', 3, ['failed'], false, { wave: 3, state: 'done' }],
  ['the last wave ends all', 3, ['done'], false, { wave: 3, state: 'done' }],
] as const)('%s', (_, wave, sites, keepsGoing, next) => {
  expect(advanceRollout({ wave, waves: 3, keepsGoing }, sites)).toEqual(next)
})
