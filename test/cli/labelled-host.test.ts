import { runInPool } from '../../src/cli/site/labelled-host.js'

const sites = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

describe('a pool', () => {
  test('works on a limited number at once, and returns results in the order of the list', async () => {
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

  test('completes what was begun, after nothing more may begin', async () => {
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
