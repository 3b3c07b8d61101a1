import { type Found, played, type Size } from '../course.js'
import { aWorker, submitted, twoWorkers, untilAllEnded, untilConfigured } from '../rollout.js'
import type { StageOptions } from '../stage.js'

interface Options {
  readonly size: Size
  readonly service: Omit<StageOptions, 'sites'>
  /** How soon the sites of the one that is gone have to be looked at. */
  readonly touchMs: number
  /** Default: that of the other courses. */
  readonly pollInterval?: string
  /** Default: that of workers. */
  readonly leaseMs?: number
  /** Whether it comes back under its name. */
  readonly returns?: boolean
}

/** Two workers; one is killed when a third of the sites are configured. */
export function killed({
  size,
  service,
  touchMs,
  pollInterval,
  leaseMs = 10_000,
  returns = false,
}: Options): Promise<Found> {
  const { sites, limit, mostMs } = size
  const options = {
    fleetLimit: limit,
    limit,
    lease: `${leaseMs}ms`,
    ...(pollInterval !== undefined && { pollInterval }),
  }
  return played(size, service, async stage => {
    await submitted(stage)
    const [ada, bob] = await twoWorkers(stage, options)
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    const at = ada.signal('SIGKILL')
    await ada.ended
    if (returns) aWorker(stage, 'ada again', { ...options, as: 'ada' })
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    const code = await bob.ended
    return {
      losses: returns ? [] : [{ by: 'ada', at }],
      touchMs,
      complaints: code === 143 || code === 0 ? [] : [`bob ended with ${code} when it was told to`],
    }
  })
}
