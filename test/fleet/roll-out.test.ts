import type { Rollout } from '../../packages/fleet/src/model/run.js'
import { decideAfterWave } from '../../packages/fleet/src/model/submission.js'
import { type RolloutPorts, runRollout } from '../../packages/fleet/src/workflow/roll-out.js'
import type { RunState } from '../../src/plan/run-state.js'
import { type Death, Died, engineInMemory } from '../support/fleet-run.js'
import { virtualClock } from '../support/virtual-clock.js'

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

const anHourMs = 3_600_000

/** Three waves whose sites take an hour each, and end as told. */
function waves(ends: readonly (readonly RunState[])[], changes: Partial<Rollout> = {}) {
  const clock = virtualClock()
  const engine = engineInMemory(clock)
  const rollout = { wave: 1, waves: ends.length, keepsGoing: false, state: 'running' as const, ...changes }
  let now: Pick<Rollout, 'wave' | 'waves' | 'keepsGoing' | 'state'> = rollout
  const begun = new Map<number, number>()
  const ports = (death?: Death): RolloutPorts => ({
    steps: engine.steps(death),
    clock,
    leaving: new AbortController().signal,
    rollout: async () => now,
    async beginWave(wave) {
      if (!begun.has(wave)) begun.set(wave, clock.monotonicMs())
    },
    async states(wave) {
      const beganMs = begun.get(wave)
      if (beganMs === undefined) throw new Error(`wave ${wave} is looked at before it has begun`)
      const isOver = clock.monotonicMs() - beganMs >= anHourMs
      return (ends[wave - 1] ?? []).map(end => (isOver ? end : 'running'))
    },
    async set(change) {
      now = { ...now, ...change }
    },
  })
  return {
    clock,
    engine,
    ports,
    begun,
    rollout: () => now,
    cancel: () => (now = { ...now, state: 'cancelled' }),
  }
}

test('each wave begins when the one before has ended', async () => {
  const { ports, begun, rollout, engine } = waves([['done'], ['done', 'done'], ['done']])
  expect(await runRollout(ports())).toBe('done')
  expect([...begun.values()].map(ms => Math.floor(ms / anHourMs))).toEqual([0, 1, 2])
  expect(rollout()).toMatchObject({ wave: 3, state: 'done' })
  // Twelve looks an hour and a few more: what is kept does not grow with the looks.
  expect(engine.kept.length).toBeLessThan(3 * 14 + 5)
})

test('a wave that did not end well leaves the later ones waiting', async () => {
  const { ports, begun, rollout } = waves([['done'], ['done', 'failed'], ['done']])
  expect(await runRollout(ports())).toBe('stopped')
  expect([...begun.keys()]).toEqual([1, 2])
  expect(rollout()).toMatchObject({ wave: 2, state: 'stopped' })
})

test('the last wave stops nothing', async () => {
  const { ports, rollout } = waves([['done'], ['failed']])
  expect(await runRollout(ports())).toBe('done')
  expect(rollout()).toMatchObject({ wave: 2, state: 'done' })
})

test('who keeps going begins every wave', async () => {
  const { ports, begun } = waves([['failed'], ['ambiguous'], ['done']], { keepsGoing: true })
  expect(await runRollout(ports())).toBe('done')
  expect([...begun.keys()]).toEqual([1, 2, 3])
})

test('a submission that goes on begins with the wave it stands at', async () => {
  const { ports, begun } = waves([['failed'], ['done'], ['done']], { wave: 2 })
  expect(await runRollout(ports())).toBe('done')
  expect([...begun.keys()]).toEqual([2, 3])
})

test('a submission that a person cancelled begins nothing more', async () => {
  const { ports, begun, cancel, clock } = waves([['done'], ['done']])
  const way = ports()
  const rolled = runRollout({
    ...way,
    async states(wave) {
      if (clock.monotonicMs() > anHourMs / 2) cancel()
      return way.states(wave)
    },
  })
  expect(await rolled).toBe('cancelled')
  expect([...begun.keys()]).toEqual([1])
})

test('a worker that leaves ends its look at once', async () => {
  const { ports, clock } = waves([['done'], ['done']])
  const leaving = new AbortController()
  const way = ports()
  const names: string[] = []
  const left = runRollout({
    ...way,
    leaving: leaving.signal,
    steps: {
      ...way.steps,
      async run(name, step) {
        names.push(name)
        if (name === 'watch 1.1') leaving.abort()
        if (name === 'watch 1.2') throw new Died()
        return way.steps.run(name, step)
      },
    },
  })
  await expect(left).rejects.toThrow(Died)
  expect(names).toEqual(['begin', 'wave 1', 'watch 1.1', 'watch 1.2'])
  expect(clock.monotonicMs()).toBe(0)
})

test('whichever worker dies at whichever step, another goes on to the same end', async () => {
  const ends: readonly (readonly RunState[])[] = [['done'], ['done', 'failed'], ['done']]
  const { ports, engine } = waves(ends)
  await runRollout(ports())
  for (const [step] of engine.kept.entries())
    for (const when of ['unkept', 'kept'] as const) {
      const again = waves(ends)
      await expect(runRollout(again.ports({ step, when }))).rejects.toThrow(Died)
      expect(await runRollout(again.ports())).toBe('stopped')
      expect([...again.begun.keys()]).toEqual([1, 2])
    }
})
