import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { landformProgram } from '../../support/landform-program.js'
import { manifestOf } from '../../support/manifests.js'
import { type Facts, type Requests, type RunFacts, type SiteFacts, since } from '../judge/facts.js'
import { findStuck, judge } from '../judge/judge.js'
import { readState } from '../judge/state.js'
import { type ApplyOptions, environmentOf, type Place, preloadOf, runApply } from './landform-process.js'
import type { RealSites } from './real-site.js'

export type ExitedWith = RunFacts['exitCode']

/** The exit codes of the runs, and the violations. */
export interface Judged {
  readonly codes: readonly ExitedWith[]
  readonly violations: readonly string[]
}

export interface Aftermath extends Judged {
  /** The last state of the submission after the first run; `nothing` if there is no submission. */
  readonly journal: string
}

/** The end of a run, and the requests that the site had received before it. */
interface Run {
  readonly exitCode: ExitedWith
  readonly printed?: string
  readonly before?: Requests
}

const noRequests = { received: 0, accepted: 0 }
const mostFurther = 5

/** Collects the facts about a site after a run. */
export async function factsAt(
  place: Place,
  sites: RealSites,
  { before = noRequests, ...run }: Run,
): Promise<Facts & { readonly site: SiteFacts }> {
  const site = await sites.counted(place.url)
  const { digest, policy } = manifestOf(place.file, await readFile(place.file))
  return {
    site,
    state: readState(await place.texts(), { digest, policy }),
    run: { command: 'apply', outcome: 'apply', ...run, sent: since(site, before) },
  }
}

interface First extends ApplyOptions {
  readonly first: ExitedWith
  readonly before?: Requests
}

/** Repeats `landform apply` after a first run, at most five times, until the site is complete, and judges each run. */
export async function bringToEnd(
  place: Place,
  sites: RealSites,
  { first, before = noRequests, ...options }: First,
): Promise<Aftermath> {
  const codes = [first]
  let last = await factsAt(place, sites, { exitCode: first, before })
  const journal = last.state?.journal.at(-1) ?? 'nothing'
  const found = [...judge(last)]
  for (let run = 1; run <= mostFurther; run += 1) {
    const end = await runApply(place, options)
    codes.push(end.exitCode)
    last = await factsAt(place, sites, { ...end, before: last.site })
    found.push(...judge(last).map(text => `run ${codes.length}: ${text}`))
    const stuck = findStuck(last)
    if (stuck.length === 0) break
    if (run === mostFurther) found.push(...stuck)
  }
  return { codes, journal, violations: found }
}

/**
 * Follows the hint of a run that exits with 4 although the service accepted nothing: the printed command discards the
 * submission intent once the request can no longer arrive, and the next apply configures the site.
 */
export async function discardIntent(place: Place, sites: RealSites): Promise<readonly string[]> {
  const { printed } = await runApply(place, { seconds: 1 })
  const [, words] = /`landform (state discard-intent [^`]*--intent [^`]*)`/.exec(printed) ?? []
  if (words === undefined) return ['I5: a run that exited with 4 printed no next command']
  const node = `'${process.execPath}' --require '${preloadOf('hurried')}' '${landformProgram}'`
  const child = spawn('sh', ['-c', `${node} ${words}`], { env: environmentOf(place), stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) return [`I5: the printed command exited with ${code}: landform ${words}`]
  const before = await sites.counted(place.url)
  const facts = await factsAt(place, sites, { ...(await runApply(place)), before })
  return [...judge(facts), ...findStuck(facts)]
}
