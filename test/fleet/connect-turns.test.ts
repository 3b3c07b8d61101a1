import { createConnectTurns } from '../../packages/fleet/src/database/connection.js'

test('while the database rejects connections, only one of many callers tries at a time, after pauses that double', async () => {
  const pauses: number[] = []
  let [attempts, isRefused] = [0, true]
  const connectInTurn = createConnectTurns(async ms => void pauses.push(ms))
  const connect = async () => {
    attempts += 1
    if (isRefused) throw new Error('refused')
    return 'connected'
  }
  const all = () => Promise.allSettled(Array.from({ length: 40 }, () => connectInTurn(connect)))
  await connectInTurn(connect).catch(() => undefined)
  for (let round = 0; round < 6; round += 1)
    expect((await all()).every(({ status }) => status === 'rejected')).toBe(true)
  expect([attempts, pauses]).toEqual([7, [100, 200, 400, 800, 1000, 1000]])

  isRefused = false
  expect((await all()).every(end => end.status === 'fulfilled' && end.value === 'connected')).toBe(true)
  expect([attempts, pauses.length]).toEqual([47, 7])
  await all()
  expect(pauses).toHaveLength(7)
})
