import { getEventListeners } from 'node:events'
import { DatabaseError } from '../../packages/fleet/src/database/database-error.js'
import type { WorkerEvent } from '../../packages/fleet/src/worker/log.js'
import { repeatWhileAway } from '../../packages/fleet/src/worker/site-work.js'

test('hundreds of sites that wait for a database, whether it is unavailable or full, add no listeners to the shared signal', async () => {
  let isAway = true
  const ask = async () => {
    if (isAway) throw new DatabaseError('no', told.length % 2 === 0 ? 'ECONNREFUSED' : '53100')
    return 'here'
  }
  const leaving = new AbortController()
  const told: WorkerEvent[] = []
  const parts = { report: (event: WorkerEvent) => void told.push(event), leaving: leaving.signal }
  const asked = Array.from({ length: 300 }, () => repeatWhileAway(ask, parts))
  while (told.length < 300) await new Promise(resolve => setImmediate(resolve))
  expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(0)
  isAway = false
  expect(await Promise.all(asked)).toHaveLength(300)
})

test('a worker that is stopping does not wait', async () => {
  const leaving = new AbortController()
  const ask = () => Promise.reject(new DatabaseError('no', '57P01'))
  const parts = { report: () => leaving.abort(), leaving: leaving.signal }
  await expect(repeatWhileAway(ask, parts)).rejects.toThrow()
})
