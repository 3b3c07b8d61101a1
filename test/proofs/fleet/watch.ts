import { setTimeout } from 'node:timers/promises'
import type { Stage } from './stage.js'

/** The most that the database ever showed at once. */
export interface Peaks {
  /** Sites that are noted as running. */
  readonly running: number
  /** Workflows of sites that the engine has begun. */
  readonly pending: number
  readonly samples: number
}

/** Counts running sites all the while; returns what ends it. */
export function watchRunning(stage: Stage): () => Promise<Peaks> {
  let peaks: Peaks = { running: 0, pending: 0, samples: 0 }
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const [row] = await stage
        .rows<{ readonly running: number; readonly pending: number }>(
          `select (select count(*)::int from landform.run where state = 'running') as running,
           (select count(*)::int from dbos.workflow_status where status = 'PENDING' and queue_name = 'sites') as pending`,
        )
        .catch(() => [])
      if (row !== undefined)
        peaks = {
          running: Math.max(peaks.running, row.running),
          pending: Math.max(peaks.pending, row.pending),
          samples: peaks.samples + 1,
        }
      await setTimeout(100)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return peaks
  }
}
