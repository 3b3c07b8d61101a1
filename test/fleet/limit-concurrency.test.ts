import { limitConcurrency } from '../../packages/fleet/src/worker/limit-concurrency.js'

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

test('who has nothing to do steps aside, and waits for a turn again', async () => {
  const inTurn = limitConcurrency(1)
  const seen: string[] = []
  let wake: () => void = () => undefined
  const first = inTurn(async turn => {
    seen.push('a sleeps')
    await turn.aside(() => new Promise<void>(resolve => (wake = resolve)))
    seen.push('a goes on')
  })
  await inTurn(async () => {
    seen.push('b works')
    wake()
    await Promise.resolve()
    seen.push('b ends')
  })
  await first
  expect(seen).toEqual(['a sleeps', 'b works', 'b ends', 'a goes on'])
})
