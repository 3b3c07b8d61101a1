import { postgresIsHere, postgresPackages } from '../support/postgres.js'
import { type CheckRun, declareCheck } from './check.js'
import type { Found } from './fleet/course.js'
import { courses } from './fleet/courses.js'
import { playFleet } from './fleet-sim/fleet-play.js'
import { complaints } from './fleet-sim/judge.js'
import { mistakes, scenarios, smallFleet } from './fleet-sim/setting.js'

const figures = { sites: [1000, 10_000], seeds: [20, 400] } as const

/**
 * Plays fleets in virtual time and judges their courses: queues, waves, limits and workers that die. The full form then plays
 * what may happen to a fleet with real processes over a real PostgreSQL: workers that are killed or stand still, a database that
 * goes away, two submissions at once. Engines with a mistake, and a site that is asked twice, have to be found. Words are
 * courses to play, and nothing else.
 */
export const check = declareCheck({
  name: 'fleet',
  shows:
    'Whatever happens to the workers or the database of a fleet, each site is configured once, none is abandoned, and limits and order are kept: in virtual time with ten thousand sites, and with real processes.',
  counts: {
    'small fleets': [20, 400],
    'simulated sites': [7000, 70_000],
    'fleet runs': [0, 12],
    sites: [0, 3400],
    'planted mistakes found': [7, 19],
  },
  short: 'ci',
  figures,
  async run(run) {
    const { isShort, words } = run
    if (words.length === 0) simulate(run)
    if (isShort && words.length === 0) return
    if (!postgresIsHere)
      return run.skip(`there is no ${postgresPackages}`, 'fleet runs', 'sites', 'planted mistakes found')
    for (const [name, play] of Object.entries(courses))
      if (words.length === 0 ? name !== 'few' : words.includes(name)) await judgeCourse(run, name, play)
  },
})

type Run = CheckRun<typeof figures>

function simulate({ again, complain, count, figures: { seeds, sites }, say, seed, violation }: Run): void {
  for (let one = seed; one < seed + seeds; one += 1) {
    const setting = smallFleet(one)
    complain(again('--seed', `${one}`, '--seeds', '1'), complaints(playFleet(setting), setting))
    count('small fleets')
  }
  for (const mistake of mistakes) {
    const isFound = Array.from({ length: 20 }, (_, at) => ({ ...smallFleet(seed + at), mistake })).some(
      setting => complaints(playFleet(setting), setting).length > 0,
    )
    if (isFound) count('planted mistakes found')
    else violation(`an engine that ${mistake} has to be found, and is not`)
  }
  for (const { what, setting } of scenarios(sites)) {
    const runs = playFleet(setting)
    complain(`a fleet ${what}`, complaints(runs, setting))
    count('simulated sites', runs.length)
    say(`a fleet ${what}: ${runs.length} runs`)
  }
}

async function judgeCourse(
  { complain, count, say, violation }: Run,
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
    say(`${name}: ${formatFound(found)}`)
  } catch (error) {
    violation(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}

function formatFound({ configured, touchesMs, most, peaks, ambiguous, seconds }: Found): string {
  const last = touchesMs.at(-1)
  const touches =
    last === undefined ? '' : `the last of ${touchesMs.length} orphans touched after ${last} ms; `
  return `${configured} sites configured; ${touches}${most} at once at the service, ${peaks.running} in the database; ${ambiguous} ambiguous; ${seconds} s`
}
