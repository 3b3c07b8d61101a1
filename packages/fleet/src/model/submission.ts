import { hasEnded, type RunState } from 'landform/sites'
import type { Order, Rollout, Run } from './run.js'

/** The part of an order that is compared with the newest run. */
export interface OrderTerms extends Pick<Order, 'digest' | 'commit' | 'priority' | 'timeoutMs'> {
  /** An earlier commit with the same files of the site. */
  readonly sameAs?: string
}

/** The newest run of a site before another submission. */
export interface PreviousRun
  extends Pick<
    Run,
    'generation' | 'state' | 'isCancelRequested' | 'digest' | 'commit' | 'priority' | 'timeoutMs'
  > {
  /** True if it waits for a wave of a stopped rollout. */
  readonly isStopped: boolean
}

/**
 * The effect of a submission on a site:
 * - `new`: a run is added;
 * - `behind`: a run is added, and starts after an unfinished one;
 * - `instead`: a run replaces one that has not started, because an older manifest must not be applied after a newer one;
 * - `same`: nothing is added, because an unfinished run is equal, or the newest run is done and the site's files have not
 *   changed since its commit.
 */
export type SubmissionEffect = 'new' | 'behind' | 'instead' | 'same'

/** Compares an order with the newest run of its site. A queued run is not replaced for another priority or time limit. */
export function decideEffect(former: PreviousRun | undefined, order: OrderTerms): SubmissionEffect {
  if (former === undefined) return 'new'
  const isUnchanged = order.sameAs !== undefined && former.commit === order.sameAs
  const isSameContent = former.digest === order.digest && (isUnchanged || former.commit === order.commit)
  if (hasEnded(former.state)) return former.state === 'done' && isUnchanged && isSameContent ? 'same' : 'new'
  if (former.isStopped) return 'instead'
  if (former.state !== 'waiting') return isSameContent && !former.isCancelRequested ? 'same' : 'behind'
  const isSame = isSameContent && former.priority === order.priority && former.timeoutMs === order.timeoutMs
  return isSame ? 'same' : 'instead'
}

/**
 * A site to resume, with the effect:
 * - `again`: it starts again;
 * - `watch`: it waits for the result of a recorded request, without sending one;
 * - `goes-on`, `done`: it is unfinished or done, so nothing changes;
 * - `left`: it keeps its result;
 * - `rejected`: the service rejected its `configure`, and another one needs consent.
 */
export interface ResumedSite {
  readonly run: Run
  readonly is: 'again' | 'watch' | 'goes-on' | 'done' | 'left' | 'rejected'
}

/** The continuation of a stopped rollout: the effect on each unsuccessful site, and the wave to continue with. */
export type Continuation = ReturnType<typeof planContinuation>

/**
 * Decides how a stopped rollout continues: with the wave that stopped it if sites of that wave start again, otherwise with
 * the next wave, without the sites that stopped it. Earlier waves are not considered.
 */
export function planContinuation(
  runs: readonly Run[],
  rollout: Rollout,
  decide: (run: Run) => ResumedSite['is'],
) {
  const ended = runs.filter(run => run.wave >= rollout.wave && hasEnded(run.state) && run.state !== 'done')
  const sites = ended.map((run): ResumedSite => ({ run, is: decide(run) }))
  const stoppers = sites.filter(({ run }) => run.wave === rollout.wave)
  return stoppers.some(({ is }) => is === 'again')
    ? { rollout, sites, wave: rollout.wave, without: [] }
    : { rollout, sites, wave: rollout.wave + 1, without: stoppers.map(({ run }) => run) }
}

/** The end of a wave, counted from the first site: a number of sites, or a percentage of them. */
export interface Reach {
  readonly amount: number
  readonly unit: 'sites' | 'percent'
}

/** Parses reaches such as `1,10%,100%`, each larger than those before it in the same unit; `undefined` if invalid. */
export function parseWaves(text: string): readonly Reach[] | undefined {
  const reaches: Reach[] = []
  for (const word of text.split(',')) {
    const [, digits, sign] = /^([1-9]\d{0,6})(%?)$/.exec(word.trim()) ?? []
    const reach = { amount: Number(digits), unit: sign === '%' ? 'percent' : 'sites' } as const
    const former = reaches.findLast(({ unit }) => unit === reach.unit)
    const isTooFar = reach.unit === 'percent' && reach.amount > 100
    if (digits === undefined || isTooFar || reach.amount <= (former?.amount ?? 0)) return undefined
    reaches.push(reach)
  }
  return reaches
}

/**
 * Returns the wave of each site, from 1, in the order of the sites. Percentages are rounded up, and empty waves omitted;
 * sites beyond every reach form a last wave.
 */
export function numberWaves(count: number, reaches: readonly Reach[]): readonly number[] {
  const ends = reaches.map(({ amount, unit }) =>
    unit === 'sites' ? amount : Math.ceil((count * amount) / 100),
  )
  const cuts = ends.filter((end, at) => end > Math.max(0, ...ends.slice(0, at)))
  return Array.from({ length: count }, (_, site) => cuts.filter(cut => cut <= site).length + 1)
}

/**
 * Decides what follows a wave: `open` until all of its sites have ended, and `stops` after one that did not succeed. A
 * cancelled site does not stop a rollout, because a person decided it.
 */
export function decideAfterWave(
  sites: readonly RunState[],
  keepGoing: boolean,
): 'open' | 'goes-on' | 'stops' {
  if (!sites.every(hasEnded)) return 'open'
  return keepGoing || sites.every(state => state === 'done' || state === 'cancelled') ? 'goes-on' : 'stops'
}

/** Computes the next state of a running rollout; `undefined` until its current wave has ended. */
export function advanceRollout(
  { wave, waves, keepsGoing }: Pick<Rollout, 'wave' | 'waves' | 'keepsGoing'>,
  sites: readonly RunState[],
): Pick<Rollout, 'wave' | 'state'> | undefined {
  const decision = decideAfterWave(sites, keepsGoing)
  if (decision === 'open') return undefined
  if (wave >= waves) return { wave: waves, state: 'done' }
  return decision === 'stops' ? { wave, state: 'stopped' } : { wave: wave + 1, state: 'running' }
}
