import { type Ended, isStuck, violations } from '../oracle.js'
import { landformApply, type Place } from './landform-process.js'
import { truthAt } from './place.js'
import type { RealSites } from './real-site.js'

/** What became of a site after one run of it. */
export interface Aftermath {
  /** How the runs ended, the first of them too. */
  readonly codes: readonly Ended['exitCode'][]
  /** How far the submission had come when the first run ended; `nothing` where none was promised. */
  readonly journal: string
  readonly violations: readonly string[]
}

const mostFurther = 5

/** Runs `landform apply` after a first run until the matter has ended, and holds each against what is so. */
export async function broughtToEnd(
  place: Place,
  sites: RealSites,
  { first, seconds = 60 }: { readonly first: Ended['exitCode']; readonly seconds?: number },
): Promise<Aftermath> {
  const codes: Ended['exitCode'][] = []
  const found: string[] = []
  const look = async (exitCode: Ended['exitCode'], before: { received: number; accepted: number }) => {
    const counted = await sites.counted(place.url)
    const truth = await truthAt(place, counted)
    const received = counted.received - before.received
    const accepted = counted.accepted - before.accepted
    const ended = { exitCode, outcome: 'apply', received, accepted }
    codes.push(exitCode)
    found.push(...violations(truth, ended).map(text => `run ${codes.length}: ${text}`))
    return { counted, truth, stuck: isStuck(truth, ended) }
  }
  let last = await look(first, { received: 0, accepted: 0 })
  const journal = last.truth.journal.at(-1) ?? 'nothing'
  for (let run = 1; run <= mostFurther; run += 1) {
    last = await look(await landformApply(place, { seconds }), last.counted)
    if (last.stuck === undefined) break
    if (run === mostFurther) found.push(last.stuck)
  }
  return { codes, journal, violations: found }
}
