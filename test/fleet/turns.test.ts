import { limitConcurrency } from '../../packages/fleet/src/model/limit-concurrency.js'

test('at most the given number run at once, in order, and one that fails makes room like any other', async () => {
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

test('the preparation of each is done just before it begins, not while it waits', async () => {
  const seen: string[] = []
  const inTurn = limitConcurrency(1, async () => void seen.push('heartbeat'))
  await Promise.all(['a', 'b'].map(name => inTurn(async () => void seen.push(name))))
  expect(seen).toEqual(['heartbeat', 'a', 'heartbeat', 'b'])
})
