import { postgresIsHere, postgresPackages } from '../support/postgres.js'
import { type CheckRun, declareCheck } from './check.js'
import { type Cost, costsOfFleet, excesses, formatCost } from './fleet/costs.js'
import type { Found } from './fleet/course.js'
import { courses } from './fleet/courses.js'

/**
 * Plays what may happen to a fleet with a thousand sites: workers that are killed or stand still, a database that goes away,
 * two submissions at once, and more, each with real processes over a real PostgreSQL. `costs`, in the full form only, measures
 * what a fleet needs, and compares it with the bounds of `costs.ts`. Words are the courses to play, and `costs`.
 */
export const check = declareCheck({
  name: 'fleet',
  shows:
    'Whatever happens to the workers or the database of a fleet, each site is configured once, and none is abandoned.',
  // Of twenty sites at once that a killed worker had, as many requests may be unknown: on a busy machine it was six.
  counts: { 'fleet runs': [1, 12], sites: [20, 3400], 'planted mistakes found': [1, 12] },
  planted: 'planted mistakes found',
  short: 'release',
  gate: 'release',
  figures: {},
  async run(run) {
    if (!postgresIsHere)
      return run.skip(`there is no ${postgresPackages}`, 'fleet runs', 'sites', 'planted mistakes found')
    const isChosen = (name: string) => run.words.length === 0 || run.words.includes(name)
    for (const { name, play } of courses.filter(course => isChosen(course.name))) {
      const playCourse = play[run.isShort ? 'short' : 'full']
      if (playCourse !== undefined) await judgeCourse(run, name, playCourse)
    }
    if (!run.isShort && isChosen('costs')) await measureCosts(run)
  },
})

async function judgeCourse(
  { complain, count, say, violation }: CheckRun,
  name: string,
  play: () => Promise<Found>,
) {
  try {
    const found = await play()
    count('fleet runs')
    count('sites', found.configured)
    if (found.isPlantedFound) count('planted mistakes found')
    else violation(`${name}: a site that is asked twice was not found`)
    complain(name, found.complaints)
    say(`${name}: ${lineOf(found)}`)
  } catch (error) {
    violation(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}

async function measureCosts({ complain, count, say, violation }: CheckRun) {
  try {
    const costs: Cost[] = []
    for await (const cost of costsOfFleet()) {
      costs.push(cost)
      count('costs')
      say(`  ${cost.what}: ${formatCost(cost)}`)
    }
    complain('costs', excesses(costs))
  } catch (error) {
    violation(`costs: ${error instanceof Error ? error.message : error}`)
  }
}

function lineOf({ configured, touchesMs, most, peaks, ambiguous, seconds }: Found): string {
  const at = (share: number) => ((touchesMs[Math.ceil(touchesMs.length * share) - 1] ?? 0) / 1000).toFixed(1)
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
