import { stallingProxy } from '../../../support/stalling-proxy.js'
import { type Found, played, type Size } from '../course.js'
import { aKeptWorker, aWorker, submitted, untilAllEnded, untilConfigured } from '../rollout.js'

/**
 * Two workers whose open connections to the database fall silent, all at once and without an end; new ones work. The workers
 * have to notice, and to go on.
 */
export function halfOpen({ sites, limit, mostMs }: Size, leaseMs: number): Promise<Found> {
  return played({ sites, limit, mostMs }, { stageMs: 500 }, async stage => {
    const proxy = await stallingProxy(stage.connection)
    try {
      await submitted(stage)
      const options = { limit, lease: `${leaseMs}ms`, database: proxy.connection }
      const workers = ['ada', 'bob'].map(name => aKeptWorker(stage, name, options))
      await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
      proxy.freeze()
      const frozen = proxy.frozen()
      await untilAllEnded(stage, mostMs)
      const ends = workers.flatMap(worker => worker.ends)
      await Promise.all(workers.map(worker => worker.stop()))
      return {
        losses: [],
        isCountedAtService: false,
        complaints: [
          ...(frozen >= 4 ? [] : [`${frozen} connections were frozen, where two workers have more`]),
          ...ends.filter(code => code !== 7).map(code => `a worker ended with ${code}, not 7`),
        ],
      }
    } finally {
      await proxy.close()
    }
  })
}

/** Two workers; one is cut off from the database for good, without hearing of it, and the other takes over its sites. */
export function cutOff({ sites, limit, mostMs }: Size, leaseMs: number): Promise<Found> {
  return played({ sites, limit, mostMs }, { stageMs: 500 }, async stage => {
    const proxy = await stallingProxy(stage.connection)
    try {
      await submitted(stage)
      const options = { limit, lease: `${leaseMs}ms` }
      const ada = aWorker(stage, 'ada', { ...options, database: proxy.connection })
      const bob = aWorker(stage, 'bob', options)
      await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
      proxy.swallow()
      await untilAllEnded(stage, mostMs)
      bob.signal('SIGTERM')
      ada.signal('SIGKILL')
      await Promise.all([ada.ended, bob.ended])
      // It may go on to look at its sites, but writes nothing: each write needs the database first.
      return { losses: [], visitors: ['ada'], isCountedAtService: false }
    } finally {
      await proxy.close()
    }
  })
}
