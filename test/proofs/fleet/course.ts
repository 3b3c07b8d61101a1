import { setTimeout } from 'node:timers/promises'
import { type FleetFacts, judgeRequests } from '../judge/requests.js'
import { runs } from './rollout.js'
import { aStage, type Stage, type StageOptions } from './stage.js'

export interface Size {
  readonly sites: number
  /** The number of sites that may be worked on at once. */
  readonly limit: number
  readonly mostMs: number
}

/** The result of a course. */
export interface Found {
  /** True if the planted mistake was found: a second request to the last site, as from a client that retries. */
  readonly isPlantedFound: boolean
  readonly violations: readonly string[]
  readonly configured: number
  /** The times from the loss of a worker to the first request of another one to each of its sites, sorted. */
  readonly touchesMs: readonly number[]
  /** The most sites at once, as the service counts them. */
  readonly most: number
  readonly peaks: Peaks
  readonly ambiguous: number
  readonly seconds: number
}

/** The facts that a course adds. */
export type Told = Omit<FleetFacts, 'sites' | 'limit' | 'peaks' | 'runs'> & {
  readonly violations?: readonly string[]
}

/** Sets up the stage, plants a mistake, performs the course, and judges the result. */
export async function played(
  size: Size,
  options: Omit<StageOptions, 'sites'>,
  act: (stage: Stage) => Promise<Told>,
): Promise<Found> {
  const planted = `${size.sites}:configure=duplicate-first`
  const stage = await aStage({ ...options, faults: [...(options.faults ?? []), planted], sites: size.sites })
  const startedMs = performance.now()
  try {
    const stopWatching = watchRunning(stage)
    const { violations = [], ...facts } = await act(stage).finally(stopWatching)
    const [peaks, ended, seen] = [await stopWatching(), await runs(stage), await stage.service.seen()]
    const { violations: found, ...judged } = judgeRequests(seen, {
      ...facts,
      sites: stage.files.map((_, at) => at + 1),
      runs: ended,
      limit: size.limit,
      peaks: { database: peaks.running, engine: peaks.pending },
    })
    const ofPlanted = `I1: site ${size.sites} got 2 requests to configure`
    return {
      ...judged,
      isPlantedFound: found.includes(ofPlanted),
      peaks,
      ambiguous: ended.filter(({ state }) => state === 'ambiguous').length,
      seconds: Math.round((performance.now() - startedMs) / 1000),
      violations: [
        ...violations,
        ...(await stage.warnings()),
        ...(facts.losses.length > 0 && judged.touchesMs.length === 0 ? ['no process lost a site'] : []),
        ...found.filter(text => text !== ofPlanted),
      ],
    }
  } finally {
    await stage.close()
  }
}

/** The highest counts in the database. */
interface Peaks {
  /** Sites that are recorded as running. */
  readonly running: number
  /** Workflows of sites that the engine has started. */
  readonly pending: number
}

/** Counts running sites until the returned function is called. */
function watchRunning(stage: Stage): () => Promise<Peaks> {
  let peaks: Peaks = { running: 0, pending: 0 }
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
