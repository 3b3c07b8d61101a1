import { type Found, played, type Size } from '../course.js'
import { submitted, twoWorkers, untilAllEnded, untilConfigured } from '../rollout.js'

/** Every site is submitted by two processes at once, and once more while it is worked on; one worker is killed. */
export function submittedTwice(size: Size, touchMs: number): Promise<Found> {
  const { sites, limit, mostMs } = size
  return played(size, { stageMs: 300 }, async stage => {
    await Promise.all([submitted(stage), submitted(stage)])
    const [ada, bob] = await twoWorkers(stage, { limit })
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const at = ada.signal('SIGKILL')
    await submitted(stage)
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    await bob.ended
    return { losses: [{ by: 'ada', at }], touchMs }
  })
}
