import { getEventListeners } from 'node:events'
import { DatabaseError } from '../../packages/fleet/src/database/database-error.js'
import type { FleetStore } from '../../packages/fleet/src/database/fleet-store.js'
import type { WorkerEvent } from '../../packages/fleet/src/worker/log.js'
import { createRetryingStore } from '../../packages/fleet/src/worker/site-work.js'

test('hundreds of sites that wait for a database share one pause, and one listener of the signal', async () => {
  let isAway = true
  const rollouts = async () => {
    if (isAway) throw new DatabaseError('no', 'ECONNREFUSED')
    return []
  }
  const leaving = new AbortController()
  const told: WorkerEvent[] = []
  const parts = { report: (event: WorkerEvent) => void told.push(event), leaving: leaving.signal }
  const store = createRetryingStore({ rollouts } as never as FleetStore, parts)
  const asked = Array.from({ length: 300 }, () => store.rollouts())
  while (told.length < 300) await new Promise(resolve => setImmediate(resolve))
  expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(1)
  isAway = false
  expect(await Promise.all(asked)).toHaveLength(300)
})

test('a worker that leaves waits for nothing', async () => {
  const leaving = new AbortController()
  const rollouts = () => Promise.reject(new DatabaseError('no', '57P01'))
  const parts = { report: () => leaving.abort(), leaving: leaving.signal }
  await expect(createRetryingStore({ rollouts } as never, parts).rollouts()).rejects.toThrow()
})
