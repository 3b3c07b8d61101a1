import { postgresIsHere, postgresPackages } from '../support/postgres.js'
import { type CheckRun, declareCheck } from './check.js'
import type { Found } from './fleet/course.js'
import { courses } from './fleet/courses.js'

const figures = {} as const

/**
 * Runs a fleet of real processes with a real PostgreSQL through accidents: workers that are killed or suspended, a database
 * that goes down, two submissions at once. A site with two requests is planted, and must be found. Arguments are the names of
 * courses to play; the short form plays the shortest.
 */
export const check = declareCheck({
  name: 'fleet',
  shows:
    'Whatever happens to the workers or the database of a fleet, each site is configured once, no site is abandoned, and limits and order are kept. The processes are real.',
  counts: { 'fleet runs': [1, 15], sites: [20, 3830], 'planted mistakes found': [1, 15] },
  short: 'ci',
  figures,
  async run(run) {
    const { isShort, words } = run
    if (!postgresIsHere)
      return run.skip(
        `PostgreSQL is not installed: install ${postgresPackages}`,
        'fleet runs',
        'sites',
        'planted mistakes found',
      )
    for (const [name, play] of Object.entries(courses)) {
      const isChosen = words.length > 0 ? words.includes(name) : (name === 'few') === isShort
      if (isChosen) await judgeCourse(run, name, play)
    }
  },
})

type Run = CheckRun<typeof figures>

async function judgeCourse({ report, count, say, violation }: Run, name: string, play: () => Promise<Found>) {
  try {
    const found = await play()
    count('fleet runs')
    count('sites', found.configured)
    if (found.isPlantedFound) count('planted mistakes found')
    else violation(`${name}: a site with two requests was not found`)
    report(name, found.violations)
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
