import { limitConcurrency } from '../../packages/fleet/src/worker/site-work.js'
import { computeShare } from '../../packages/fleet/src/worker/worker.js'

test('no more than so many work at once, each in its turn, and one that fails makes room like any other', async () => {
  const inTurn = limitConcurrency(2)
  const seen: string[] = []
  const work = (name: string, end: () => void = () => undefined) =>
    inTurn(async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      end()
    }).catch((error: Error) => seen.push(error.message))
  const fail = () => {
    throw new Error('b failed')
  }
  await Promise.all([work('a'), work('b', fail), work('c'), work('d')])
  expect(seen.indexOf('c begins')).toBeGreaterThan(seen.indexOf('a ends'))
  expect(seen.indexOf('d begins')).toBeGreaterThan(seen.indexOf('b ends'))
  expect(seen).toEqual(expect.arrayContaining(['b failed', 'c ends', 'd ends']))
})

test.each([
  ['a worker alone takes what it may have', { active: 0, workers: 1, limit: 20 }, 20],
  ['idle workers take few at first', { active: 0, workers: 3, limit: 20 }, 2],
  ['of 19 sites each of three workers has its share', { active: 19, workers: 3, limit: 20 }, 7],
  ['no worker has more than its limit', { active: 1000, workers: 3, limit: 20 }, 20],
])('%s', (_, load, share) => {
  expect(computeShare(load)).toBe(share)
})
