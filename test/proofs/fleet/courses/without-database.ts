import { setTimeout } from 'node:timers/promises'
import { type Found, played, type Size } from '../course.js'
import { aKeptWorker, submitted, untilAllEnded, untilConfigured } from '../rollout.js'

/** Two workers; the database is killed in the middle, and is back after a while. */
export function withoutDatabase(size: Size, awayMs: number): Promise<Found> {
  const { sites, limit, mostMs } = size
  return played(size, { stageMs: 500 }, async stage => {
    await submitted(stage)
    const workers = ['ada', 'bob'].map(name => aKeptWorker(stage, name, { limit }))
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    await stage.server.kill()
    await setTimeout(awayMs)
    await stage.server.restart()
    await untilAllEnded(stage, mostMs)
    const ends = workers.flatMap(worker => worker.ends)
    await Promise.all(workers.map(worker => worker.stop()))
    return {
      losses: [],
      complaints: ends.filter(code => code !== 7).map(code => `a worker ended with ${code}, not 7`),
    }
  })
}
