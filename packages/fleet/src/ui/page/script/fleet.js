import { now } from './clock.js'
import { stateRank } from './states.js'

/** The last known state of the fleet. */
export const fleet = { sites: new Map(), rollouts: [], workers: [], where: '', trouble: null }

const names = new Intl.Collator('en', { numeric: true })
let areNew = true

/** Replaces everything. */
export function takeAll({ sites, rollouts, workers, where, trouble }) {
  Object.assign(fleet, { rollouts, workers, where, trouble })
  fleet.sites.clear()
  takeSites(sites)
  areNew = true
}

/** Updates the rows of changed sites; older rows than the known ones are ignored. */
export function takeSites(rows) {
  for (const row of rows) {
    const known = fleet.sites.get(row.site)
    if (known !== undefined && known.changedAt > row.changedAt && known.generation >= row.generation) continue
    if (known?.name === row.name) row.place = known.place
    else areNew = true
    row.text =
      `${row.name} ${row.site} ${row.worker ?? ''} ${row.stage ?? ''} ${row.message ?? ''}`.toLowerCase()
    fleet.sites.set(row.site, row)
  }
}

/** Filters and sorts the sites. */
export function shownSites({ states, rollout, search, sort, isDown }) {
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

const values = {
  need: ({ state }) => stateRank(state),
  name: ({ place }) => place,
  stages: ({ through }) => through,
  age: row => -since(row),
  warnings: row => row.warnings,
  retries: row => row.retries,
}

/** Returns the start of the current state of a site, or of its run. */
export const since = ({ submittedAt, startedAt, endedAt }) => endedAt ?? startedAt ?? submittedAt

/** Returns the age of that state. */
export const ageOf = row => now() - since(row)

/** Ranks the sites by name. Comparing names by locale is slow, and names hardly ever change. */
function placeByName() {
  if (!areNew) return
  areNew = false
  const all = [...fleet.sites.values()].sort(
    (a, b) => names.compare(a.name, b.name) || (a.site < b.site ? -1 : 1),
  )
  for (const [place, row] of all.entries()) row.place = place
}
