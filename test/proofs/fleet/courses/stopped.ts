import { type Found, played, type Size } from '../course.js'
import { submitted, twoWorkers, until, untilAllEnded, untilConfigured } from '../rollout.js'

/** Two workers; one stands still for longer than its lease, and goes on when the other has all its sites. */
export function stopped(
  size: Size,
  { leaseMs, touchMs }: { leaseMs: number; touchMs: number },
): Promise<Found> {
  const { sites, limit, mostMs } = size
  const lease = `${leaseMs}ms`
  return played(size, { stageMs: 2000 }, async stage => {
    await submitted(stage)
    const [ada, bob] = await twoWorkers(stage, { limit, lease })
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const at = ada.signal('SIGSTOP')
    await until('another worker has every site', mostMs, async () => {
      const left = await stage.rows<{ n: number }>(
        `select count(*)::int as n from landform.run where worker = 'ada' and state = 'running'`,
      )
      return left[0]?.n === 0
    })
    ada.signal('SIGCONT')
    const code = await ada.ended
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    await bob.ended
    return {
      losses: [{ by: 'ada', at }],
      touchMs,
      complaints: code === 7 ? [] : [`the worker that stood still ended with ${code}, not 7`],
    }
  })
}
