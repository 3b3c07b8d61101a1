import { runInPool } from '../../../src/apply/fleet/in-pool.js'
import { runWaves } from '../../../src/apply/fleet/run-waves.js'
import { cutWaves, decideAfterWave, parseWaves } from '../../../src/apply/fleet/waves.js'

const sites = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const sizes = (text: string, count: number) => {
  const reaches = parseWaves(text)
  return reaches && cutWaves(sites(count), reaches).map(wave => wave.length)
}

test.each([
  [['done', 'running', 'failed'], false, 'open'],
  [['done', 'failed'], false, 'stops'],
  [['done', 'failed'], true, 'goes-on'],
  [['done', 'cancelled'], false, 'goes-on'],
  [[], false, 'goes-on'],
] as const)('after a wave of %j, keeping going %s, the rollout is %s', (sites, keepGoing, expected) => {
  expect(decideAfterWave(sites, keepGoing)).toBe(expected)
})

describe('waves', () => {
  test.each<[string, number, readonly number[]]>([
    ['1,10%,100%', 100, [1, 9, 90]],
    ['1,10%,100%', 5, [1, 4]],
    ['1,10%,100%', 1, [1]],
    ['1,10%,100%', 0, []],
    ['100%', 7, [7]],
    ['5', 12, [5, 7]],
    ['5,20', 12, [5, 7]],
    ['1,2,50%', 10, [1, 1, 3, 5]],
    ['33%', 10, [4, 6]],
    ['7%', 100, [7, 93]],
    [' 1 , 100% ', 3, [1, 2]],
  ])('%s of %i sites are cut to %j', (text, count, expected) => {
    expect(sizes(text, count)).toEqual(expected)
  })

  test('hold every site once, in its order', () => {
    for (let count = 0; count < 40; count += 1)
      for (const text of ['1,10%,100%', '3', '20%', '50%,7', '1,2,3'])
        expect(cutWaves(sites(count), parseWaves(text) ?? []).flat()).toEqual(sites(count))
  })

  test.each(['', '0', '1,', '0%', '101%', '-1', '1.5', '10%,10%', '5,3', '50%,1,10%', 'all', '1;2'])(
    'cannot be %j',
    text => {
      expect(parseWaves(text)).toBeUndefined()
    },
  )
})

describe('a pool', () => {
  test('works on so many at once, and answers in the order of the list', async () => {
    let [now, peak] = [0, 0]
    const work = async (item: number) => {
      now += 1
      peak = Math.max(peak, now)
      for (let turn = 0; turn < 30 - item; turn += 1) await undefined
      now -= 1
      return item * 10
    }
    const results = await runInPool(sites(20), { concurrency: 3, goesOn: () => true }, work)
    expect(results).toEqual(sites(20).map(item => item * 10))
    expect(peak).toBe(3)
  })

  test('lets what was begun come to its end once nothing more may begin', async () => {
    let stopped = false
    const work = async (item: number) => {
      stopped ||= item === 4
      await undefined
      return item
    }
    const results = await runInPool(sites(6), { concurrency: 2, goesOn: () => !stopped }, work)
    expect(results).toEqual([1, 2, 3, 4, undefined, undefined])
  })
})

describe('the stop rule', () => {
  const waved = async (bad: readonly number[], keepGoing = false) => {
    const begun: number[] = []
    const results = await runWaves({
      waves: [[1], [2, 3, 4], [5, 6]],
      concurrency: 2,
      keepGoing,
      goesOn: () => true,
      begins: wave => begun.push(wave),
      stateOf: (result: number) => (bad.includes(result) ? 'failed' : 'done'),
      work: async (item: number) => item,
    })
    return { begun, results }
  }

  test.each<[string, readonly number[], readonly number[], readonly (number | undefined)[]]>([
    ['every wave where all end well', [], [1, 2, 3], [1, 2, 3, 4, 5, 6]],
    [
      'the first wave alone where its site fails',
      [1],
      [1],
      [1, undefined, undefined, undefined, undefined, undefined],
    ],
    [
      'all of a wave where one in it fails, and no further one',
      [2],
      [1, 2],
      [1, 2, 3, 4, undefined, undefined],
    ],
    ['all where one in the last fails', [6], [1, 2, 3], [1, 2, 3, 4, 5, 6]],
  ])('begins %s', async (_, bad, begun, results) => {
    expect(await waved(bad)).toEqual({
      begun,
      results: [results.slice(0, 1), results.slice(1, 4), results.slice(4)],
    })
  })

  test('does not hold where the user says to keep going', async () => {
    expect((await waved([1, 2], true)).begun).toEqual([1, 2, 3])
  })
})
