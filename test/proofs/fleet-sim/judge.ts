import type { PlayedRun } from './fleet-play.js'
import { mostUnnoticedMs, pace, type Setting } from './setting.js'
import { behaviourOf, endsOf } from './site-play.js'

/** Each worker looks at the queue in its own time, so that one may be a little late. */
const graceMs = 2 * pace.queueMs

/** What is wrong with the course of a fleet, by what happened to its runs and nothing else. */
export function complaints(runs: readonly PlayedRun[], setting: Setting): readonly string[] {
  return [
    ...notEnded(runs, setting),
    ...overLimits(runs, setting),
    ...twiceAtOnce(runs),
    ...outOfOrder(runs),
    ...wavesMixed(runs),
    ...begunAfterStop(runs, setting),
    ...unnoticed(runs),
  ]
}

/** How many spans there are at once, at most. */
export function mostAtOnce(spans: readonly { readonly fromMs: number; readonly toMs: number }[]): number {
  const steps = spans.flatMap(({ fromMs, toMs }) => [
    { atMs: fromMs, by: 1 },
    { atMs: toMs, by: -1 },
  ])
  // What ends frees its place before the next begins.
  steps.sort((a, b) => (a.atMs === b.atMs ? a.by - b.by : a.atMs - b.atMs))
  let [most, now] = [0, 0]
  for (const { by } of steps) {
    now += by
    most = Math.max(most, now)
  }
  return most
}

function notEnded(runs: readonly PlayedRun[], setting: Setting): readonly string[] {
  const { seed } = setting
  const left = new Set(leftBehind(runs, setting))
  const generations = new Map(runs.map(({ site, generation }) => [site, generation]))
  return runs.flatMap(run => {
    const { site, generation, state } = run
    if (left.has(run)) return []
    if (state === 'cancelled' && generation < (generations.get(site) ?? 0)) return []
    const wanted = endsOf[behaviourOf(seed, site).kind]
    return state === wanted ? [] : [`${site} (${generation}) came to ${state ?? 'no end'}, not to ${wanted}`]
  })
}

function overLimits(runs: readonly PlayedRun[], { limit, fleetLimit }: Setting): readonly string[] {
  const all = runs.flatMap(({ spans }) => spans)
  const found: string[] = []
  const most = mostAtOnce(all)
  if (fleetLimit !== undefined && most > fleetLimit)
    found.push(`${most} sites at once, where ${fleetLimit} are allowed`)
  for (const [worker, spans] of groupedBy(all, span => span.worker)) {
    const here = mostAtOnce(spans)
    if (here > limit) found.push(`${here} sites at once on worker ${worker}, where ${limit} are allowed`)
  }
  return found
}

function twiceAtOnce(runs: readonly PlayedRun[]): readonly string[] {
  return [...groupedBy(runs, run => run.site)].flatMap(([site, own]) => {
    if (mostAtOnce(own.flatMap(({ spans }) => spans)) > 1) return [`${site} is on two workers at once`]
    const [older, newer] = own
      .toSorted((a, b) => a.generation - b.generation)
      .map(({ spans }) => spans[0]?.fromMs)
    const isLate = older !== undefined && newer !== undefined && newer < older
    return isLate ? [`${site} gets an older manifest after a newer one`] : []
  })
}

/** Nobody who came later, with the same priority or a worse one, begins first while a site could be begun. */
function outOfOrder(runs: readonly PlayedRun[]): readonly string[] {
  const first = runs.filter(run => run.generation === 1 && run.spans.length > 0)
  const begunAt = (run: PlayedRun) => run.spans[0]?.fromMs ?? 0
  const found: string[] = []
  // Of those that had to wait for someone, the one with the best claim; all others may come after it.
  for (const [, group] of groupedBy(first, run => run.priority)) {
    let latest: PlayedRun | undefined
    for (const run of group.toSorted((a, b) => (a.queuedMs ?? 0) - (b.queuedMs ?? 0) || a.wave - b.wave)) {
      const isOvertaken =
        latest !== undefined && begunAt(run) + graceMs < begunAt(latest) && run.queuedMs !== latest.queuedMs
      if (isOvertaken) found.push(`${run.site} is begun before ${latest?.site}, which came earlier`)
      if (latest === undefined || begunAt(run) > begunAt(latest)) latest = run
    }
  }
  const urgent = first.filter(({ priority }) => priority === 1)
  const [from, to] = [Math.min(...urgent.map(run => run.queuedMs ?? 0)), Math.max(...urgent.map(begunAt))]
  for (const run of first)
    if (run.priority > 1 && begunAt(run) > from + graceMs && begunAt(run) + graceMs < to)
      found.push(`${run.site} is begun while sites wait that are to go first`)
  return found
}

function wavesMixed(runs: readonly PlayedRun[]): readonly string[] {
  return [...groupedBy(runs, run => run.rollout)].flatMap(([rollout, own]) => {
    const waves = [...groupedBy(own, run => run.wave)].sort(([a], [b]) => a - b).map(([, wave]) => wave)
    return waves.slice(1).flatMap((wave, at) => {
      const before = waves[at] ?? []
      const isOver = Math.max(...before.map(({ endedMs = Number.POSITIVE_INFINITY }) => endedMs))
      const begins = Math.min(...wave.map(({ queuedMs = Number.POSITIVE_INFINITY }) => queuedMs))
      return begins < isOver
        ? [`wave ${at + 2} of submission ${rollout} begins before wave ${at + 1} has ended`]
        : []
    })
  })
}

/** What comes after a wave of its submission in which something did not end well. */
function leftBehind(runs: readonly PlayedRun[], { keepsGoing }: Setting): readonly PlayedRun[] {
  if (keepsGoing) return []
  const isBad = ({ state }: PlayedRun) => state !== undefined && state !== 'done' && state !== 'cancelled'
  return runs.filter(run =>
    runs.some(one => one.rollout === run.rollout && one.wave < run.wave && isBad(one)),
  )
}

function begunAfterStop(runs: readonly PlayedRun[], setting: Setting): readonly string[] {
  return leftBehind(runs, setting)
    .filter(({ queuedMs }) => queuedMs !== undefined)
    .map(({ site }) => `${site} is begun after a wave that did not end well`)
}

function unnoticed(runs: readonly PlayedRun[]): readonly string[] {
  return runs.flatMap(({ site, losses }) =>
    losses
      .filter(({ diedMs, foundMs }) => foundMs - diedMs > mostUnnoticedMs)
      .map(({ diedMs, foundMs }) => `${site} was left alone for ${(foundMs - diedMs) / 1000} s`),
  )
}

function groupedBy<T, K>(things: readonly T[], keyOf: (thing: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const thing of things) {
    const group = groups.get(keyOf(thing))
    if (group === undefined) groups.set(keyOf(thing), [thing])
    else group.push(thing)
  }
  return groups
}
