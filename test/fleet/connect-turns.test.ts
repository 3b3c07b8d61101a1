import { createConnectTurns } from '../../packages/fleet/src/database/connection.js'

test('while the database rejects connections, one of many callers tries per second, and the others fail', async () => {
  let [attempts, isRefused, nowMs] = [0, true, 0]
  const connectInTurn = createConnectTurns(() => nowMs)
  const connect = async () => {
    attempts += 1
    await Promise.resolve()
    if (isRefused) throw new Error(`refused ${attempts}`)
    return 'connected'
  }
  const all = () => Promise.allSettled(Array.from({ length: 40 }, () => connectInTurn(connect)))
  await connectInTurn(connect).catch(() => undefined)
  for (let round = 0; round < 4; round += 1) {
    nowMs += 500
    expect((await all()).every(({ status }) => status === 'rejected')).toBe(true)
  }
  expect(attempts).toBe(3)

  isRefused = false
  nowMs += 999
  expect(await connectInTurn(connect).catch(({ message }: Error) => message)).toBe('refused 3')
  nowMs += 1
  expect((await all()).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await all()).every(end => end.status === 'fulfilled' && end.value === 'connected')).toBe(true)
  expect(attempts).toBe(44)
})
