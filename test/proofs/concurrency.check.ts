import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bareRepository, checkout } from '../support/git-repositories.js'
import { inTurns } from '../support/in-turns.js'
import { type CheckRun, declareCheck } from './check.js'
import {
  againFor,
  type Backend,
  casesOf,
  listLockPoints,
  newTally,
  type PartRun,
  raceForNumbers,
  raceForSites,
  raceNaive,
  stopHolders,
  type Writers,
} from './processes/parts.js'
import { otherCheckout, placeIn } from './processes/place.js'
import { raced, stopped } from './processes/race.js'
import { realSites } from './processes/real-site.js'
import { type Meeting, met, namespaced, renamed } from './processes/two-hosts.js'
import { randomFrom } from './sim/interleave.js'

/** `--only` selects one of the five parts, and optionally one of its cases by number, such as "stops 3". */
const figures = {
  contenders: [4, 8],
  numbers: [4, 200],
  races: [2, 70],
  stops: [2, 40],
  hosts: [3, 102],
  only: ['', ''],
} as const

/**
 * Starts processes that try to create the same version of the state at once, and that apply the same site at once. Suspends the
 * run that holds the lock at its points, and resumes or kills it. Plays cases with two machines and one repository, with the
 * lease of one expired. The controls check before they write, or share no state, and both must be found.
 */
export const check = declareCheck({
  name: 'concurrency',
  shows: 'When processes or machines race, or one of them is suspended, only one configures the site.',
  counts: {
    'races for numbers': [6, 400],
    'races for sites': [2, 70],
    'runs that stood still': [2, 20],
    'meetings of two machines': [3, 100],
    'controls found': [2, 2],
  },
  short: 'ci',
  figures,
  async run(run) {
    const folder = run.scratchFolder()
    const [only] = run.figures.only.split(' ')
    for (const [name, part] of Object.entries(parts))
      if (only === '' || name === only) await part(run, join(folder, name))
  },
})

type Run = CheckRun<typeof figures> & PartRun

const parts: Readonly<Record<string, (run: Run, folder: string) => Promise<void>>> = {
  async numbers(run, folder) {
    for (const backend of await backendsIn(run, folder))
      await raceForNumbers(run, backend, run.figures.numbers)
  },
  async races(run, folder) {
    for (const backend of await backendsIn(run, folder))
      await raceForSites(run, backend, { races: Math.ceil(run.figures.races / 2), atOnce: 2 })
  },
  async stops(run, folder) {
    for (const backend of await backendsIn(run, folder))
      await stopHolders(run, backend, { stops: Math.ceil(run.figures.stops / 2), courses: [stopped] })
  },
  hosts: meetElsewhere,
  control: raceControls,
}

/** State in files and in git. */
async function backendsIn(
  { figures: { contenders } }: Run,
  folder: string,
): Promise<readonly (Backend & Writers)[]> {
  const bare = await bareRepository()
  const checkouts = await Promise.all(Array.from({ length: contenders }, () => checkout(bare)))
  const places = { file: checkouts.map(() => join(folder, 'numbers')), git: checkouts }
  return (['file', 'git'] as const).map(kind => ({
    title: kind,
    kind,
    contenders,
    places: places[kind],
    place: (name, url) => placeIn(join(folder, `${kind}-${name}`), kind, url),
  }))
}

async function meetElsewhere(run: Run, folder: string) {
  const spaces = namespaced()
  if (spaces === undefined)
    run.skip('no kernel namespaces here: the other machine differs only by its reported name')
  const points = await listLockPoints(url => placeIn(join(folder, 'hosts'), 'git', url))
  const meetings = meetingsOf(run, points)
  const sites = await realSites(meetings.length, '--stage-time', '30ms')
  const ends = newTally()
  await inTurns(casesOf(run, meetings), 3, async ([at, meeting]) => {
    const place = await placeIn(join(folder, `hosts-${at}`), 'git', sites.urls[at] ?? '')
    const there = at % 2 === 0 ? (spaces ?? renamed) : renamed
    const { codes, violations } = await met([place, await otherCheckout(place)], sites, { there, meeting })
    run.count('meetings of two machines')
    ends.add(`${meeting.what} ${codes.join(' ')}`)
    const what = [meeting.what, ...(meeting.what === 'race' ? [] : [meeting.point])].join(' ')
    run.report(`two machines, ${what} (${againFor(run, 'hosts', at)})`, violations)
  })
  sites.close()
  run.say(`two machines: ${ends.format()}`)
}

function meetingsOf({ figures: { hosts }, seed }: Run, points: readonly string[]): readonly Meeting[] {
  const random = randomFrom(seed)
  return Array.from({ length: hosts }, (_, at) => {
    const point = points[Math.floor(random() * points.length)] ?? ''
    if (at % 3 === 0) return { what: 'race' }
    return { what: at % 3 === 1 ? 'dies' : 'wakes', point }
  })
}

/** Races writers that check before they write, and runs that share no state and so send two requests. */
async function raceControls(run: Run, folder: string) {
  const naive = join(folder, 'naive')
  mkdirSync(naive, { recursive: true })
  const places = Array.from({ length: run.figures.contenders }, () => naive)
  await raceNaive(run, { kind: 'naive', places })
  const twice = (await raceApart(folder)).find(text => text.startsWith('I1'))
  if (twice === undefined) run.violation('runs that share no state were not found')
  run.count('controls found', Number(twice !== undefined))
  run.say(`control: runs that share no state: ${twice}`)
}

async function raceApart(folder: string): Promise<readonly string[]> {
  const sites = await realSites(1, '--fault', 'configure=delay:2s')
  const [url = ''] = sites.urls
  const apart = await Promise.all([0, 1, 2].map(at => placeIn(join(folder, `apart-${at}`), 'file', url)))
  const { violations } = await raced(
    apart.map(place => ({ place })),
    sites,
  )
  sites.close()
  return violations
}
