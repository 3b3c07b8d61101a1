import { setTimeout } from 'node:timers/promises'
import { type Facts, judge } from './judge.js'
import { type Ended, runs } from './rollout.js'
import { aStage, type Stage, type StageOptions } from './stage.js'

/** How large a course is. */
export interface Size {
  readonly sites: number
  /** How many sites are worked on at once. */
  readonly limit: number
  /** How long one may take. */
  readonly mostMs: number
}

/** What a course came to. */
export interface Found {
  /** Whether the mistake that was planted was found: the last site is asked twice, as by a client that sends again. */
  readonly isPlantedFound: boolean
  readonly complaints: readonly string[]
  readonly configured: number
  /** First touches of the sites of a worker that was gone, sorted. */
  readonly touchesMs: readonly number[]
  /** How many were worked on at once at most, as the service saw it and as the database did. */
  readonly most: number
  readonly peaks: Peaks
  readonly ambiguous: number
  /** Why something was tried again. */
  readonly retries: readonly string[]
  readonly seconds: number
}

/** What an action on the stage has to tell of it. */
export type Told = Omit<Facts, 'sound' | 'limit'> & {
  readonly complaints?: readonly string[]
  /** False where a worker leaves a site and comes back to it: then the database alone knows how many are worked on. */
  readonly isCountedAtService?: boolean
  /** Sites that need not be done in the end. */
  readonly faulty?: readonly number[]
}

/** Sets the stage, plants a mistake, lets something happen on it, and judges what came of it. */
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
    const {
      complaints = [],
      faulty = [],
      isCountedAtService = true,
      ...facts
    } = await act(stage).finally(stopWatching)
    const [peaks, ended, seen] = [await stopWatching(), await runs(stage), await stage.service.seen()]
    const retries = await stage.rows<{ message: string }>(
      `select message from landform.event where type = 'retry'`,
    )
    const ambiguous = ended.filter(({ state }) => state === 'ambiguous')
    const exempt = new Set([...faulty, ...ambiguous.map(({ site }) => site)])
    const sound = stage.files.map((_, at) => at + 1).filter(site => !exempt.has(site))
    const { complaints: found, ...judged } = judge(seen, {
      ...facts,
      sound,
      ...(isCountedAtService && { limit: size.limit }),
    })
    const accepted = new Set(
      seen.flatMap(({ site, operation, accepted }) => (operation === 'configure' && accepted ? [site] : [])),
    )
    const ofPlanted = `site ${size.sites} was asked 2 times to configure`
    return {
      ...judged,
      isPlantedFound: found.includes(ofPlanted),
      peaks,
      ambiguous: ambiguous.length,
      retries: retries.map(({ message }) => message),
      seconds: Math.round((performance.now() - startedMs) / 1000),
      complaints: [
        ...complaints,
        ...(facts.losses.length > 0 && judged.touchesMs.length === 0 ? ['no site was left by anybody'] : []),
        ...found.filter(complaint => complaint !== ofPlanted),
        ...ended.filter(({ site, state }) => !exempt.has(site) && state !== 'done').map(said),
        ...ambiguous
          .filter(({ site }) => accepted.has(site) && !faulty.includes(site))
          .map(one => `${said(one)}, and yet the site is configured`),
        ...(peaks.running > size.limit
          ? [`the database had ${peaks.running} sites running, and the limit is ${size.limit}`]
          : []),
        ...(peaks.pending > size.limit
          ? [`the engine had begun ${peaks.pending} sites, and the limit is ${size.limit}`]
          : []),
      ],
    }
  } finally {
    await stage.close()
  }
}

function said({ site, state, exitCode, message }: Ended): string {
  return `site ${site} is ${state} (${exitCode ?? 'no exit code'}): ${message ?? 'no message'}`
}

/** The most that the database ever showed at once. */
interface Peaks {
  /** Sites that are noted as running. */
  readonly running: number
  /** Workflows of sites that the engine has begun. */
  readonly pending: number
  readonly samples: number
}

/** Counts running sites all the while; returns what ends it. */
function watchRunning(stage: Stage): () => Promise<Peaks> {
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
