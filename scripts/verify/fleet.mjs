// Plays what may befall a fleet with a thousand sites: workers that are killed or stand still, a database that goes away, two
// submissions at once, and more, each with real processes over a real PostgreSQL. `costs`, in the full form only, measures what a
// fleet needs, and holds it to the bounds of test/proofs/fleet/costs.ts: `npm run verify:fleet -- [COURSE…] [costs]`.

import { costsOfFleet, excesses, formatCost } from '../../dist/test/proofs/fleet/costs.js'
import { courses } from '../../dist/test/proofs/fleet/courses.js'
import { postgresIsHere, postgresPackages } from '../../dist/test/support/postgres.js'
import { complain, conclude, count, figures, say, skip, violation } from './check.mjs'

const { isShort, words } = figures({})
const form = isShort ? 'short' : 'full'
const chosen = courses.filter(
  ({ name, play }) => play[form] !== undefined && (words.length === 0 || words.includes(name)),
)

if (!postgresIsHere) skip(`there is no ${postgresPackages}`, 'courses', 'sites', 'planted mistakes found')
for (const { name, play } of postgresIsHere ? chosen : []) {
  try {
    const found = await play[form]()
    count('courses')
    count('sites', found.configured)
    if (found.isPlantedFound) count('planted mistakes found')
    else violation(`${name}: a site that is asked twice was not found`)
    complain(name, found.complaints)
    say(`${name}: ${lineOf(found)}`)
  } catch (error) {
    violation(`${name}: ${error.message}`)
  }
}
if (postgresIsHere && !isShort && (words.length === 0 || words.includes('costs')))
  try {
    const costs = []
    for await (const cost of costsOfFleet()) {
      costs.push(cost)
      count('costs')
      say(`  ${cost.what}: ${formatCost(cost)}`)
    }
    complain('costs', excesses(costs))
  } catch (error) {
    violation(`costs: ${error.message}`)
  }
conclude()

function lineOf({ configured, touchesMs, most, peaks, ambiguous, seconds }) {
  const at = share => (touchesMs[Math.ceil(touchesMs.length * share) - 1] / 1000).toFixed(1)
  const touches =
    touchesMs.length === 0
      ? []
      : [`first touch of ${touchesMs.length} orphans after ${at(0.001)} / ${at(0.5)} / ${at(1)} s`]
  return [
    `${configured} sites configured`,
    ...touches,
    `${most} at once at the service, ${peaks.running} in the database, ${peaks.pending} in the engine`,
    `${ambiguous} ambiguous`,
    `${seconds} s`,
  ].join('; ')
}
