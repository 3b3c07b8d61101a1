import { deliver, listUnmetRules, meetFault } from '../../../src/emulator/faults/meet.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import type { ServiceRequest } from '../../../src/emulator/service/request.js'
import { route } from '../../../src/emulator/service/route.js'
import { newWorld, type World, type WorldOptions } from '../../../src/emulator/service/world.js'
import { aConfigure, after, begin } from '../service/builders.js'

const worldWith = (words: readonly string[], options: WorldOptions = {}) =>
  newWorld({ stageMs: 1000, ...options, faults: parseBuiltInRules(words) })

/** The first letters of the faults that polls of the root resource meet, in order; `.` for none. */
function looks(world: World, count: number, now = begin): string {
  let current = world
  let met = ''
  for (let call = 0; call < count; call++) {
    const [next, fault] = meetFault(current, { operation: 'root', now })
    current = next
    met += fault?.kind.charAt(0) ?? '.'
  }
  return met
}

test.each([
  ['root=garbage', 'gggggg'],
  ['root@every=garbage', 'gggggg'],
  ['any=garbage', 'gggggg'],
  ['root@3=garbage', '..g...'],
  ['root@2-4=garbage', '.ggg..'],
  ['root@5-=garbage', '....gg'],
  ['configure=garbage', '......'],
  ['root@0%=garbage', '......'],
  ['root@100%=garbage', 'gggggg'],
  ['root@Queue store=garbage', '......'],
])('%s applies to the calls that it names', (word, expected) => {
  expect(looks(worldWith([word]), 6)).toBe(expected)
})

test('the first applicable rule wins', () => {
  expect(looks(worldWith(['root@2=drop-after', 'any@2-3=html', 'root=garbage']), 4)).toBe('gdhg')
})

test('calls are counted for each operation and for all operations', () => {
  const world = worldWith(['configure@2=garbage', 'any@5=drop-after'])
  const met = (['root', 'configure', 'unknown', 'configure', 'root'] as const).reduce<[World, string]>(
    ([current, kinds], operation) => {
      const [next, fault] = meetFault(current, { operation, now: begin })
      return [next, `${kinds}${fault?.kind.charAt(0) ?? '.'}`]
    },
    [world, ''],
  )
  expect(met[1]).toBe('...gd')
  expect(met[0].calls).toMatchObject({ any: 5, root: 2, configure: 2, update: 0 })
})

describe('a probability', () => {
  const share = (word: string, seed: number) => looks(worldWith([word], { seed }), 2000)

  test('applies to its share of the calls', () => {
    const met = [...share('root@30%=garbage', 1)].filter(one => one === 'g').length / 2000
    expect(met).toBeGreaterThan(0.27)
    expect(met).toBeLessThan(0.33)
  })

  test('has the same result with the same seed, and another with another seed', () => {
    expect(share('root@30%=garbage', 1)).toBe(share('root@30%=garbage', 1))
    expect(share('root@30%=garbage', 1)).not.toBe(share('root@30%=garbage', 2))
  })

  test('is independent for each rule', () => {
    const met = looks(worldWith(['root@50%=garbage', 'root@50%=drop-after']), 2000)
    const second = [...met].filter(one => one === 'd').length / 2000
    expect(second).toBeGreaterThan(0.21)
    expect(second).toBeLessThan(0.29)
  })
})

test.each([
  ['root@0s=garbage', 0, 'g'],
  ['root@1500ms=garbage', 1499, '.'],
  ['root@1500ms=garbage', 1500, 'g'],
  ['root@Configuration store=garbage', 999, '.'],
  ['root@Configuration store=garbage', 1000, 'g'],
  ['root@Configuration store+1s=garbage', 1999, 'g'],
  ['root@Configuration store+1s=garbage', 2000, '.'],
  ['root@ready=garbage', 12_999, '.'],
  ['root@ready=garbage', 13_000, 'g'],
])('%s after %d ms of a configuration: %s', (word, elapsedMs, expected) => {
  const configured = after(worldWith([word]), begin, aConfigure())
  expect(looks(configured, 1, begin + elapsedMs)).toBe(expected)
})

describe('whether a request is carried out', () => {
  const request: ServiceRequest = aConfigure()
  test.each([
    ['drop-before', 0, { received: 1, accepted: 0 }],
    ['drop-after', 1, { received: 1, accepted: 1 }],
    ['duplicate-first', 2, { received: 2, accepted: 1 }],
    ['duplicate-second', 2, { received: 2, accepted: 1 }],
  ])('with %s, %d times', (word, times, counter) => {
    const [met, fault] = meetFault(worldWith([`configure=${word}`]), { operation: 'configure', now: begin })
    const [next, delivery] = deliver(met, { request, fault, now: begin, route })
    expect(delivery).toMatchObject({ carriedOut: times, accepted: times > 0 })
    expect(next.counters.configure).toEqual(counter)
    expect(next.configuration === undefined).toBe(times === 0)
    expect(next.calls.configure).toBe(1)
  })
})

test('a rule that no request met is reported as it was written', () => {
  const world = worldWith(['root@2=garbage', 'update=garbage', 'site@Queue store=stall'])
  const words = (current: World) => listUnmetRules(current).map(({ word }) => word)
  expect(words(world)).toEqual(['root@2=garbage', 'update=garbage', 'site@Queue store=stall'])
  const [asked] = meetFault(world, { operation: 'root', now: begin })
  const [again] = meetFault(asked, { operation: 'root', now: begin })
  expect(words(again)).toEqual(['update=garbage', 'site@Queue store=stall'])
  const [late] = meetFault(after(again, begin, aConfigure()), { operation: 'root', now: begin + 3000 })
  expect(words(late)).toEqual(['update=garbage'])
})
