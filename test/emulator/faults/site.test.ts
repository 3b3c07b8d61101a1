import { meetFault } from '../../../src/emulator/faults/meet.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import type { EmulatorJsonObject } from '../../../src/emulator/service/json.js'
import { buildRootBody } from '../../../src/emulator/service/root-answer.js'
import { newWorld, type World } from '../../../src/emulator/service/world.js'
import { aConfigure, after, anUpdate, ask, begin, outcome } from '../service/builders.js'

/** A site whose configuration began at `begin`, with one second for each stage. */
const running = (...words: readonly string[]) =>
  after(newWorld({ stageMs: 1000, faults: parseBuiltInRules(words) }), begin, aConfigure())

interface Status {
  readonly state: string
  readonly message: string
  readonly warnings: readonly string[]
  readonly stages: readonly {
    readonly name: string
    readonly state: string
    readonly lastUpdated: number
    readonly startTime: number
  }[]
}
const statusOf = (world: World, elapsedMs: number) =>
  buildRootBody(world, begin + elapsedMs)['status'] as unknown as Status
const stageOf = (world: World, name: string, elapsedMs: number) =>
  statusOf(world, elapsedMs).stages.find(stage => stage.name === name)?.state

test('a stage that stalls takes longer by the given time, and all later stages are delayed', () => {
  const world = running('site@Relational store=stall:10s')
  expect(stageOf(world, 'Relational store', 12_999)).toBe('in_progress')
  expect(stageOf(world, 'Queue store', 12_999)).toBe('not_started')
  expect(stageOf(world, 'Queue store', 13_000)).toBe('in_progress')
  expect(statusOf(world, 22_999).state).toBe('in_progress')
  expect(statusOf(world, 23_000).state).toBe('ready')
})

test('a stage that stalls for ever leaves the site in progress, and shows no invalid time', () => {
  const world = running('site@Relational store=stall')
  const status = statusOf(world, 1e12)
  expect(status.state).toBe('in_progress')
  expect(JSON.stringify(status)).not.toContain('null')
  expect(status.stages.map(({ state }) => state).slice(0, 5)).toEqual([
    'completed',
    'completed',
    'in_progress',
    'not_applicable',
    'not_started',
  ])
})

test('a stage that fails does so at its end, and no other stage changes', () => {
  const world = running('site@Queue store=fail:no disk')
  expect(statusOf(world, 3999).state).toBe('in_progress')
  const failed = statusOf(world, 4000)
  expect(failed).toMatchObject({ state: 'failed', message: 'no disk' })
  expect(failed.stages.map(({ state }) => state).slice(0, 6)).toEqual([
    'completed',
    'completed',
    'completed',
    'not_applicable',
    'failed',
    'not_started',
  ])
  expect(statusOf(world, 1e9)).toEqual(failed)
  expect(outcome(ask(world, anUpdate(), begin + 1e9))).toBe('400 The site is not ready.')
  expect(outcome(ask(world, aConfigure(), begin + 1e9))).toMatch(/^400 /)
})

test('a site that goes back is in progress again, from that stage on, and is not ready', () => {
  const world = running('site@ready=back:Pod replicas,after:500ms')
  expect(statusOf(world, 13_499).state).toBe('ready')
  expect(statusOf(world, 13_500).state).toBe('in_progress')
  expect(stageOf(world, 'Pod replicas', 13_500)).toBe('in_progress')
  expect(outcome(ask(world, anUpdate(), begin + 13_500))).toBe('400 The site is not ready.')
  expect(statusOf(world, 14_500).state).toBe('ready')
})

test('completed stages that go back have not started', () => {
  const world = running('site@Object store=back:Configuration store')
  expect(stageOf(world, 'Queue store', 4999)).toBe('completed')
  expect(stageOf(world, 'Queue store', 5000)).toBe('not_started')
  expect(stageOf(world, 'Configuration store', 5000)).toBe('in_progress')
})

describe('the texts of a response', () => {
  test.each<readonly [string, Record<string, unknown>]>([
    ['site=state:paused', { state: 'paused' }],
    ['site=message:\u001b[2Jowned', { message: '\u001b[2Jowned' }],
    ['site=warnings:2', { warnings: ['Warning 1', 'Warning 2'] }],
  ])('%j changes them', (word, expected) => {
    expect(statusOf(running(word), 0)).toMatchObject(expected)
    expect(outcome(ask(running(word), anUpdate(), begin + 13_000))).toBe('accepted')
  })

  test('have stages that are renamed, missing, listed twice, or unknown', () => {
    const world = running(
      'site=rename:Queue store,to:Queues',
      'site=hide:Object store',
      'site=repeat:Pod replicas',
      'site=stages:2',
    )
    const names = statusOf(world, 0).stages.map(({ name }) => name)
    expect(names).toHaveLength(16)
    expect(names).toEqual(expect.arrayContaining(['Queues', 'Stage 1', 'Stage 2']))
    expect(names).not.toEqual(expect.arrayContaining(['Queue store']))
    expect(names).not.toEqual(expect.arrayContaining(['Object store']))
    expect(names.filter(name => name === 'Pod replicas')).toHaveLength(2)
  })

  test('are changed in the immediate response as well, with its own spelling', () => {
    const world = newWorld({ faults: parseBuiltInRules(['site=hide:Usage statistics', 'site=state:odd']) })
    const { status } = ask(world, aConfigure()).body as unknown as { readonly status: Status }
    expect(status.state).toBe('odd')
    expect(status.stages).toHaveLength(13)
  })

  test('have times before 1970 if the clock is far behind, and 0 for a stage that has not started', () => {
    const { stages } = statusOf(running('site=skew:-900000h'), 500)
    expect(stages[0]?.lastUpdated).toBe(begin - 900_000 * 3_600_000)
    expect(stages[0]?.startTime).toBeLessThan(0)
    expect(stages[1]?.startTime).toBe(0)
  })

  test('change from a point on, for a time', () => {
    const world = running('site@Queue store+2s=state:paused')
    expect([2999, 3000, 4999, 5000].map(elapsedMs => statusOf(world, elapsedMs).state)).toEqual([
      'in_progress',
      'paused',
      'paused',
      'in_progress',
    ])
  })

  test('change in some polls', () => {
    let world = running('site@2=state:paused')
    const states = [1, 2, 3].map(() => {
      world = meetFault(world, { operation: 'root', now: begin })[0]
      return statusOf(world, 0).state
    })
    expect(states).toEqual(['in_progress', 'paused', 'in_progress'])
  })
})

describe('a site with a fault', () => {
  const later = (world: World, elapsedMs: number) =>
    meetFault(world, { operation: 'root', now: begin + elapsedMs })[0]

  test('forgets its configuration, once: the next one is accepted and kept', () => {
    const world = later(running('site@Queue store=forget'), 3000)
    expect(buildRootBody(world, begin + 3000)['status']).toEqual({})
    const again = after(world, begin + 4000, aConfigure())
    expect(again.counters.configure).toEqual({ received: 2, accepted: 2 })
    expect(later(again, 9000).configuration).toEqual(again.configuration)
  })

  test('is replaced by another one, which is not configured, and whose operations exist', () => {
    const world = later(running('site@Queue store=replace,version:11.1,build:other'), 3000)
    expect(buildRootBody(world, begin + 3000)).toMatchObject({
      fullVersion: '11.1.0',
      info: { build: 'other' },
      status: {},
    })
    expect(outcome(ask(world, anUpdate(), begin + 3000))).toMatch(/^404 /)
  })

  test('is replaced at a poll, before anything is configured', () => {
    const world = newWorld({ faults: parseBuiltInRules(['site@2-=replace,version:10.9']) })
    const once = later(world, 0)
    expect(once.version).toBe('11.2')
    expect(later(once, 0).version).toBe('10.9')
  })

  test('is upgraded in place, and keeps its configuration', () => {
    const world = later(
      newWorld({ configured: true, faults: parseBuiltInRules(['site@2-=upgrade,version:11.5,build:7']) }),
      0,
    )
    expect(world.version).toBe('11.2')
    const upgraded = later(world, 0)
    expect(buildRootBody(upgraded, begin)).toMatchObject({
      fullVersion: '11.5.0',
      info: { build: '7' },
      status: { state: 'ready' },
    })
  })

  test('shows times relative to the start of the emulator if it was configured long ago', () => {
    const faults = parseBuiltInRules(['site@90s=upgrade,version:11.5'])
    const world = { ...newWorld({ configured: true, faults }), startedAt: begin }
    expect(later(world, 89_000).version).toBe('11.2')
    expect(later(world, 90_000).version).toBe('11.5')
  })

  test('is ready from the beginning if it was configured long ago', () => {
    const world = newWorld({ configured: true })
    expect((buildRootBody(world, begin)['status'] as EmulatorJsonObject)['state']).toBe('ready')
    expect(outcome(ask(world, aConfigure()))).toBe('400 The site is already configured.')
    expect(outcome(ask(world, anUpdate()))).toBe('accepted')
  })
})
