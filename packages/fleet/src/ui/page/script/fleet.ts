import type { WorkerStatus } from '../../../model/fleet-snapshot.js'
import type { RolloutRow, SiteRow } from '../../../model/overview.js'
import type { FleetDocument, StaleReason } from '../../fleet-document.js'
import { now } from './clock.js'
import type { Sort } from './route.js'
import { stateRank } from './states.js'
import type { FleetChange } from './stream.js'

/** A site with its place by name, and the text that a search reads. */
export interface ShownSite extends SiteRow {
  place: number
  readonly text: string
}

interface Fleet {
  readonly sites: Map<string, ShownSite>
  rollouts: readonly RolloutRow[]
  workers: readonly WorkerStatus[]
  where: string
  trouble: StaleReason | null
}

/** The last known state of the fleet. */
export const fleet: Fleet = { sites: new Map(), rollouts: [], workers: [], where: '', trouble: null }

const names = new Intl.Collator('en', { numeric: true })
let areNew = true

/** Replaces everything. */
export function takeAll({ sites, rollouts, workers, where, trouble }: FleetDocument): void {
  fleet.sites.clear()
  fleet.where = where
  takeChange({ sites, rollouts, workers, trouble })
  areNew = true
}

/** Replaces what changed; rows of sites that are older than the known ones are ignored. */
export function takeChange({ sites = [], ...others }: FleetChange): void {
  Object.assign(fleet, others)
  for (const row of sites) {
    const known = fleet.sites.get(row.site)
    if (known !== undefined && known.changedAt > row.changedAt && known.generation >= row.generation) continue
    if (known?.name !== row.name) areNew = true
    const { name, site, worker = '', stage = '', message = '' } = row
    const text = `${name} ${site} ${worker} ${stage} ${message}`.toLowerCase()
    fleet.sites.set(site, { ...row, text, place: known?.place ?? 0 })
  }
}

/** Filters and sorts the sites. */
export function shownSites(view: {
  readonly states: ReadonlySet<string>
  readonly rollout: string
  readonly search: string
  readonly sort: Sort
  readonly isDown: boolean
}): readonly ShownSite[] {
  const { states, rollout, search, sort, isDown } = view
  placeByName()
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...fleet.sites.values()].filter(
    row =>
      (states.size === 0 || states.has(row.state)) &&
      (rollout === '' || row.rollout === rollout) &&
      words.every(word => row.text.includes(word)),
  )
  const value = values[sort]
  const turn = isDown ? -1 : 1
  return found.sort((a, b) => turn * (value(a) - value(b)) || a.place - b.place)
}

const values: Readonly<Record<Sort, (row: ShownSite) => number>> = {
  need: row => stateRank(row.state),
  name: row => row.place,
  stages: row => row.through,
  age: row => -since(row),
  warnings: row => row.warnings,
  retries: row => row.retries,
}

/** Returns the start of the current state of a site, or of its run. */
export const since = ({
  submittedAt,
  startedAt,
  endedAt,
}: Pick<SiteRow, 'submittedAt' | 'startedAt' | 'endedAt'>): number => endedAt ?? startedAt ?? submittedAt

/** Returns the age of that state. */
export const ageOf = (row: SiteRow): number => now() - since(row)

/** Ranks the sites by name. Comparing names by locale is slow, and names hardly ever change. */
function placeByName(): void {
  if (!areNew) return
  areNew = false
  const all = [...fleet.sites.values()].sort(
    (a, b) => names.compare(a.name, b.name) || (a.site < b.site ? -1 : 1),
  )
  for (const [place, row] of all.entries()) row.place = place
}
