import { type Ended, isStuck, type Truth, violations } from '../oracle.js'
import { type ApplyOptions, landformApply, type Place } from './landform-process.js'
import { truthAt } from './place.js'
import type { Counted, RealSites } from './real-site.js'

/** What became of a site after one run of it. */
export interface Aftermath {
  /** How the runs ended, the first of them too. */
  readonly codes: readonly Ended['exitCode'][]
  /** How far the submission had come when the first run ended; `nothing` where none was promised. */
  readonly journal: string
  readonly violations: readonly string[]
}

/** How one run stands to what is so. */
export interface Judged {
  readonly counted: Counted
  readonly truth: Truth
  readonly violations: readonly string[]
  /** Why the matter is not at its end, if it is not. */
  readonly stuck: string | undefined
}

/** What had come to the site when a run began. */
type Before = Pick<Counted, 'received' | 'accepted'>

const nothingCame = { received: 0, accepted: 0 }
const mostFurther = 5

/** Holds how a run ended against what is so. */
export async function judged(
  place: Place,
  sites: RealSites,
  run: { readonly exitCode: Ended['exitCode']; readonly before?: Before },
): Promise<Judged> {
  const { exitCode, before = nothingCame } = run
  const counted = await sites.counted(place.url)
  const truth = await truthAt(place, counted)
  const received = counted.received - before.received
  const accepted = counted.accepted - before.accepted
  const ended = { exitCode, outcome: 'apply', received, accepted }
  return { counted, truth, violations: violations(truth, ended), stuck: isStuck(truth, ended) }
}

interface First {
  /** How the first run ended. */
  readonly first: Ended['exitCode']
  readonly before?: Before
}

/** Runs `landform apply` after a first run until the matter has ended, and holds each against what is so. */
export async function broughtToEnd(
  place: Place,
  sites: RealSites,
  { first, before = nothingCame, ...options }: First & ApplyOptions,
): Promise<Aftermath> {
  const codes = [first]
  let last = await judged(place, sites, { exitCode: first, before })
  const journal = last.truth.journal.at(-1) ?? 'nothing'
  const found = [...last.violations]
  for (let run = 1; run <= mostFurther; run += 1) {
    const exitCode = await landformApply(place, options)
    codes.push(exitCode)
    last = await judged(place, sites, { exitCode, before: last.counted })
    found.push(...last.violations.map(text => `run ${codes.length}: ${text}`))
    if (last.stuck === undefined) break
    if (run === mostFurther) found.push(last.stuck)
  }
  return { codes, journal, violations: found }
}
