import type { WorkerStatus } from '../model/fleet-snapshot.js'
import type { Overview, RolloutRow, SiteRow } from '../model/overview.js'

/** The last known state of the fleet. */
export interface FleetMemory {
  /** By the clock of the database. */
  readonly now: number
  readonly sites: ReadonlyMap<string, SiteRow>
  readonly rollouts: readonly RolloutRow[]
  readonly workers: readonly WorkerStatus[]
}

/** The changes found by a poll: everything, or some of it. */
export type FleetChanges =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some'
      readonly sites: readonly SiteRow[]
      readonly rollouts?: readonly RolloutRow[]
      readonly workers?: readonly WorkerStatus[]
    }

/** Above this number of changed sites, sending everything is shorter. */
const maxSites = 2000

/** Merges the result of a poll; a poll of everything also finds deleted sites. */
export function mergeOverview(
  before: FleetMemory | undefined,
  found: Overview,
  isWhole: boolean,
): { readonly memory: FleetMemory; readonly news: FleetChanges } {
  const changed = found.sites.filter(row => hasChanged(row, before?.sites.get(row.site)))
  const there = new Set(isWhole ? found.sites.map(({ site }) => site) : [])
  const isLess = isWhole && [...(before?.sites.keys() ?? [])].some(site => !there.has(site))
  const sites = new Map(isLess ? [] : before?.sites)
  for (const row of isLess ? found.sites : changed) sites.set(row.site, row)
  const { now, rollouts, workers } = found
  const memory = { now, sites, rollouts, workers }
  if (before === undefined || isLess || changed.length > maxSites) return { memory, news: { kind: 'all' } }
  const news = {
    kind: 'some',
    sites: changed,
    ...(isDifferent(before.rollouts, rollouts) && { rollouts }),
    ...(isDifferent(before.workers.map(withoutHeartbeat), workers.map(withoutHeartbeat)) && { workers }),
  } as const
  return { memory, news }
}

function hasChanged({ generation, changedAt }: SiteRow, known: SiteRow | undefined): boolean {
  return known?.generation !== generation || known.changedAt !== changedAt
}

/** Returns a worker without its heartbeat, which always changes. */
function withoutHeartbeat({ beatAt: _, ...worker }: WorkerStatus) {
  return worker
}

function isDifferent(one: object, other: object): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}
