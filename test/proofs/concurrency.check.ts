import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bareRepository, checkout } from '../support/git-repositories.js'
import { inTurns } from '../support/in-turns.js'
import { type CheckRun, declareCheck } from './check.js'
import { pointsWithSite } from './processes/kill.js'
import { numbersRaced } from './processes/number-race.js'
import { otherCheckout, placeIn } from './processes/place.js'
import { raced, type Stop, stopped } from './processes/race.js'
import { realSites } from './processes/real-site.js'
import { type Meeting, met, namespaced, renamed } from './processes/two-hosts.js'
import { randomFrom } from './sim/interleave.js'

/** `--only` names one of the five parts, and may number one case of it, such as "stops 3". */
const figures = {
  /** The tests have four race for state of each kind, too; here they also meet controls. */
  contenders: [4, 8],
  numbers: [4, 200],
  races: [2, 70],
  stops: [2, 40],
  hosts: [3, 102],
  only: ['', ''],
} as const

/**
 * Lets processes ask for the same version of the state at once, and apply the same site at once; stops the run that has a
 * site at each of its points, and wakes or kills it; and has two machines meet at one repository, one of which may be behind
 * the end of its lease. The controls look before they write, and share no state, and both have to be found out.
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
    const [wanted] = run.figures.only.split(' ')
    for (const [name, part] of Object.entries(parts))
      if (wanted === '' || name === wanted) await part(run, folder)
  },
})

type Run = CheckRun<typeof figures>

const parts: Readonly<Record<string, (run: Run, folder: string) => Promise<void>>> = {
  numbers: raceForNumbers,
  races: raceForSites,
  stops: standStill,
  hosts: meetElsewhere,
  control: raceControls,
}

const kinds = ['file', 'git'] as const

async function raceForNumbers(run: Run, folder: string) {
  const { contenders, numbers } = run.figures
  const bare = await bareRepository()
  const checkouts = await Promise.all(Array.from({ length: contenders }, () => checkout(bare)))
  const places = { file: Array.from({ length: contenders }, () => join(folder, 'numbers')), git: checkouts }
  for (const kind of kinds) {
    const { won, violations } = await numbersRaced(kind, places[kind], numbers)
    run.count('races for numbers', numbers)
    run.complain(`${kind} (${again(run, 'numbers')})`, violations)
    const ended = won === numbers ? 'one of them made' : 'was to be made once'
    run.say(`${kind}: ${contenders} processes asked for ${numbers} numbers, each of which ${ended}`)
  }
}

/** Lets processes race for sites that take their time, so that who comes a little later still meets the run that has one. */
async function raceForSites(run: Run, folder: string) {
  const { contenders, races } = run.figures
  const sites = await realSites(races, '--stage-time', '60ms')
  const ends: Record<string, number> = {}
  await inTurns(wantedOf(run, sites.urls), 2, async ([at, url]) => {
    const kind = at % 2 === 0 ? 'file' : 'git'
    const place = await placeIn(join(folder, `race-${at}`), kind, url)
    const all = Array.from({ length: contenders }, () => ({ place }))
    const { codes, violations } = await raced(all, sites)
    run.count('races for sites')
    tally(ends, codes)
    run.complain(`race ${at}, ${kind} (${again(run, `races ${at}`)})`, violations)
  })
  sites.close()
  run.count('runs rejected by the lock', ends[7] ?? 0)
  run.say(`${contenders} processes raced for each site: ${inWords(ends)}`)
}

async function standStill(run: Run, folder: string) {
  const all: (Stop & { readonly kind: (typeof kinds)[number] })[] = []
  for (const kind of kinds)
    for (const point of await pointsIn(folder, kind))
      all.push(...(['wakes', 'dies'] as const).map(then => ({ kind, point, then })))
  const random = randomFrom(run.seed)
  const chosen = drawn(all, run.figures.stops, random)
  const sites = await realSites(chosen.length)
  await inTurns(wantedOf(run, chosen), 3, async ([at, { kind, ...stop }]) => {
    const place = await placeIn(join(folder, `stop-${at}`), kind, sites.urls[at] ?? '')
    run.count('runs that stood still')
    run.complain(
      `${kind}, ${inWordsOfStop(stop)} (${again(run, `stops ${at}`)})`,
      await stopped(place, sites, stop),
    )
  })
  sites.close()
  run.say(`${chosen.length} runs stood still, and woke or died`)
}

/** The points at which a run has a site, as one run comes to them. */
async function pointsIn(folder: string, kind: (typeof kinds)[number]): Promise<readonly string[]> {
  const sites = await realSites(1)
  const points = await pointsWithSite(
    await placeIn(join(folder, `points-${kind}`), kind, sites.urls[0] ?? ''),
  )
  sites.close()
  return points
}

async function meetElsewhere(run: Run, folder: string) {
  const spaces = namespaced()
  if (spaces === undefined)
    run.skip('no namespaces of the kernel here: the other machine only says that it is one')
  const meetings = meetingsOf(run, await pointsIn(join(folder, 'hosts'), 'git'))
  const sites = await realSites(meetings.length, '--stage-time', '30ms')
  const ends: Record<string, number> = {}
  await inTurns(wantedOf(run, meetings), 3, async ([at, meeting]) => {
    const place = await placeIn(join(folder, `hosts-${at}`), 'git', sites.urls[at] ?? '')
    const there = at % 2 === 0 ? (spaces ?? renamed) : renamed
    const { codes, violations } = await met([place, await otherCheckout(place)], sites, { there, meeting })
    run.count('meetings of two machines')
    tally(ends, [`${meeting.what} ${codes.join(' ')}`])
    const what = [meeting.what, ...(meeting.what === 'race' ? [] : [meeting.point])].join(' ')
    run.complain(`two machines, ${what} (${again(run, `hosts ${at}`)})`, violations)
  })
  sites.close()
  run.say(`two machines: ${inWords(ends)}`)
}

function meetingsOf({ figures: { hosts }, seed }: Run, points: readonly string[]): readonly Meeting[] {
  const random = randomFrom(seed)
  return Array.from({ length: hosts }, (_, at) => {
    const point = points[Math.floor(random() * points.length)] ?? ''
    if (at % 3 === 0) return { what: 'race' }
    return { what: at % 3 === 1 ? 'dies' : 'wakes', point }
  })
}

/** Races those who look before they write, of whom two make one number, and runs that share no state, which send twice. */
async function raceControls(run: Run, folder: string) {
  const naive = await naiveViolations(folder, run.figures.contenders)
  if (naive.length === 0) run.violation('nobody found out those who look before they write')
  const twice = (await apartViolations(folder)).find(text => text.startsWith('I1'))
  if (twice === undefined) run.violation('nobody found out those who share no state')
  run.count('controls found', Number(naive.length > 0) + Number(twice !== undefined))
  run.say(
    `controls: of those who look before they write two made ${naive.length} of ${naiveNumbers} numbers; with no state in common: ${twice}`,
  )
}

const naiveNumbers = 60

async function naiveViolations(folder: string, contenders: number): Promise<readonly string[]> {
  const place = join(folder, 'naive')
  mkdirSync(place)
  const places = Array.from({ length: contenders }, () => place)
  return (await numbersRaced('naive', places, naiveNumbers)).violations
}

async function apartViolations(folder: string): Promise<readonly string[]> {
  const sites = await realSites(1, '--fault', 'configure=delay:2s')
  const [url = ''] = sites.urls
  const apart = await Promise.all(
    Array.from({ length: 3 }, (_, at) => placeIn(join(folder, `apart-${at}`), 'file', url)),
  )
  const contending = apart.map(place => ({ place }))
  const { violations } = await raced(contending, sites)
  sites.close()
  return violations
}

function again(run: Run, what: string): string {
  return run.again('--seed', `${run.seed}`, '--only', what)
}

/** The items with their numbers, or the one that `--only` numbers. */
function wantedOf<T>({ figures: { only } }: Run, items: readonly T[]): readonly (readonly [number, T])[] {
  const [, wanted] = only.split(' ')
  return [...items.entries()].filter(([at]) => wanted === undefined || at === Number(wanted))
}

function drawn<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  return items
    .map(item => ({ item, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, count)
    .map(({ item }) => item)
}

function inWordsOfStop({ point, then }: Stop): string {
  return `stopped ${point}, and it ${then}`
}

function tally(ends: Record<string, number>, codes: readonly (string | number)[]): void {
  for (const code of codes) ends[code] = (ends[code] ?? 0) + 1
}

function inWords(ends: Readonly<Record<string, number>>): string {
  return Object.entries(ends)
    .map(([code, times]) => `${times} x ${code}`)
    .join(', ')
}
