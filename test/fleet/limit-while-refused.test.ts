import { limitWhileRefused } from '../../packages/fleet/src/database/connection.js'
import { DatabaseError } from '../../packages/fleet/src/database/database-error.js'

test('while the database refuses connections, one of many queries is sent per second, and the others fail', async () => {
  let [sent, code, nowMs] = [0, 'ECONNREFUSED', 0]
  const limited = limitWhileRefused(() => nowMs)
  const ask = async () => {
    sent += 1
    await Promise.resolve()
    if (code !== '') throw new DatabaseError(`failed ${sent}`, code)
    return 'answered'
  }
  const all = () => Promise.allSettled(Array.from({ length: 40 }, () => limited(ask)))
  await limited(ask).catch(() => undefined)
  for (let round = 0; round < 4; round += 1) {
    nowMs += 500
    expect((await all()).every(({ status }) => status === 'rejected')).toBe(true)
  }
  expect(sent).toBe(3)

  code = ''
  nowMs += 999
  await expect(limited(ask)).rejects.toMatchObject({ message: 'failed 3' })
  nowMs += 1
  expect((await all()).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await all()).every(end => end.status === 'fulfilled' && end.value === 'answered')).toBe(true)
  expect(sent).toBe(44)

  // Others may have a connection that still works.
  code = '57P01'
  await all()
  expect(sent).toBe(84)
})
