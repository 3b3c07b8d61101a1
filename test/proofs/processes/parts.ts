import { inTurns } from '../../support/in-turns.js'
import type { CheckRun } from '../check.js'
import { randomFrom } from '../sim/interleave.js'
import { type Kill, killed, pointsOf, pointsWithLock } from './kill.js'
import type { Place } from './landform-process.js'
import { numbersRaced } from './number-race.js'
import { raced, type Stop } from './race.js'
import { type RealSites, realSites } from './real-site.js'
import type { WriterKind } from './writer-process.js'

/** A running check whose `--only` selects a part, and optionally one of its cases by number, such as "races 3". */
export type PartRun = CheckRun<{ readonly only: readonly [string, string] }>

/** A kind of state, for the parts that all kinds share. */
export interface Backend {
  readonly title: string
  readonly contenders: number
  /** Creates a place for a site. The name must be unique. */
  place(name: string, url: string): Promise<Place>
}

/** Writers that race for the same versions, each in its own place. */
export interface Writers {
  readonly title: string
  readonly kind: WriterKind
  readonly places: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export function newTally() {
  const all = new Map<string | number, number>()
  return {
    add: (what: string | number) => void all.set(what, (all.get(what) ?? 0) + 1),
    of: (what: string | number) => all.get(what) ?? 0,
    format: () => [...all].map(([what, times]) => `${times} x ${what}`).join(', '),
  }
}

/** Selects items at random. */
export function draw<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  const lots = items.map(item => ({ item, lot: random() })).sort((one, other) => one.lot - other.lot)
  return lots.slice(0, count).map(({ item }) => item)
}

/** Returns a function that hands out each site of an emulator once, and throws if none is left. */
export function eachOnce({ urls }: RealSites): () => string {
  const rest = urls.values()
  return () => {
    const { value } = rest.next()
    if (value === undefined) throw new Error('there are too few sites')
    return value
  }
}

/** Formats the command that repeats a part, or one of its cases. */
export function againFor({ again, seed }: PartRun, ...only: readonly (string | number)[]): string {
  return again('--seed', `${seed}`, '--only', only.join(' '))
}

/** Numbers the cases of a part. If `--only` has a number, selects that case. */
export function casesOf<T>({ figures }: PartRun, items: readonly T[]): readonly (readonly [number, T])[] {
  const [, one] = figures.only.split(' ')
  return [...items.entries()].filter(([at]) => one === undefined || at === Number(one))
}

/** Starts processes that try to create the same versions of the state at once. */
export async function raceForNumbers(run: PartRun, writers: Writers, rounds: number): Promise<void> {
  const { title, kind, places, environment } = writers
  const { won, violations } = await numbersRaced(kind, places, rounds, environment)
  run.count('races for numbers', rounds)
  run.report(`${title} (${againFor(run, 'numbers')})`, violations)
  run.say(
    `${title}: ${places.length} processes raced for ${rounds} versions; exactly one created each of ${won}`,
  )
}

const naiveRounds = 60

/** Races the control, writers that check for a version before they write it, and reports a violation if none is found. */
export async function raceNaive(run: PartRun, { kind, places }: Omit<Writers, 'title'>): Promise<void> {
  const { violations } = await numbersRaced(kind, places, naiveRounds)
  if (violations.length === 0)
    run.violation('the control was not found: writers that check before they write')
  run.count('controls found', Number(violations.length > 0))
  run.say(
    `control: writers that check before they write broke ${violations.length} of ${naiveRounds} versions`,
  )
}

interface SiteRaces {
  readonly races: number
  readonly atOnce?: number
  /** The name of the part for `--only`. */
  readonly only?: string
}

/** Starts processes that apply each site at once, and returns the number of violations. */
export async function raceForSites(
  run: PartRun,
  { title, contenders, place }: Backend,
  { races, atOnce = 1, only = 'races' }: SiteRaces,
): Promise<number> {
  // Slow stages, so that a run that starts later still meets the lock.
  const sites = await realSites(races, '--stage-time', '60ms')
  const ends = newTally()
  let found = 0
  await inTurns(casesOf(run, sites.urls), atOnce, async ([at, url]) => {
    const one = await place(`race-${at}`, url)
    const all = Array.from({ length: contenders }, () => ({ place: one }))
    const { codes, violations } = await raced(all, sites)
    run.count('races for sites')
    codes.forEach(ends.add)
    found += violations.length
    run.report(`${title}, race ${at} (${againFor(run, only, at)})`, violations)
  })
  sites.close()
  run.count('runs rejected by the lock', ends.of(7))
  run.say(`${title}: ${contenders} processes raced for each of ${races} sites: ${ends.format()}`)
  return found
}

export type NamedKill = Pick<Kill, 'at' | 'afterMs'> & { readonly name: string }

export interface Kills {
  /** How long the service takes to accept a `configure`, in milliseconds. */
  readonly delay?: number
  readonly atOnce: number
  /** The timeout of each further run, in seconds. */
  readonly seconds?: number
  /** The name of the part for `--only`; by default, the name of the kill. */
  readonly only?: string
  choose(points: readonly string[]): readonly NamedKill[]
}

/** Returns a timeout that is longer than the service needs, in seconds. */
export function secondsFor(delay: number): number {
  return 2 + Math.ceil((1.5 * delay) / 1000)
}

/** Selects `count` points at equal distances. */
export function spread(points: readonly string[], count: number, first = 0): readonly NamedKill[] {
  const step = Math.max(1, Math.floor(points.length / count))
  return Array.from({ length: count }, (_, turn) => {
    const at = (first + turn * step) % points.length
    return { at, name: points[at] ?? '' }
  })
}

/** Kills runs at points between two of their effects, and returns the number of violations. */
export async function killAtPoints(
  run: PartRun,
  backend: Pick<Backend, 'title' | 'place'>,
  kills: Kills,
): Promise<number> {
  const { delay = 0, atOnce, seconds = secondsFor(delay), only, choose } = kills
  const sites = await realSites(130, '--fault', `configure=delay:${delay}ms`)
  const nextUrl = eachOnce(sites)
  const points = await pointsOf(await backend.place(`points-${delay}`, nextUrl()))
  const chosen = choose(points)
  const ends = newTally()
  let found = 0
  await inTurns([...chosen.entries()], atOnce, async ([turn, { name, ...kill }]) => {
    const place = await backend.place(`kill-${delay}-${turn}`, nextUrl())
    const { codes, violations } = await killed(place, sites, { ...kill, seconds })
    run.count('kills at points')
    ends.add(codes.join(' '))
    found += violations.length
    run.report(`${backend.title}, ${delay} ms, killed ${name} (${againFor(run, only ?? name)})`, violations)
  })
  sites.close()
  const times = `${chosen.length} times at ${points.length} points`
  run.say(`${backend.title}, configure takes ${delay} ms: killed ${times}; ${ends.format()}`)
  return found
}

/** Suspends a run that holds the lock, resumes or kills it, and returns the violations. */
type StopCourse = (place: Place, sites: RealSites, stop: Stop) => Promise<readonly string[]>

/** Suspends runs that hold the lock at randomly selected points, three at a time, and resumes or kills each. */
export async function stopHolders(
  run: PartRun,
  { title, place }: Backend,
  { stops, courses }: { readonly stops: number; readonly courses: readonly StopCourse[] },
): Promise<void> {
  const points = await listLockPoints(url => place('points', url))
  const all = courses.flatMap(course =>
    points.flatMap(point => (['wakes', 'dies'] as const).map(then => ({ course, point, then }))),
  )
  const chosen = draw(all, stops, randomFrom(run.seed))
  const sites = await realSites(chosen.length)
  await inTurns(casesOf(run, chosen), 3, async ([at, { course, ...stop }]) => {
    const violations = await course(await place(`stop-${at}`, sites.urls[at] ?? ''), sites, stop)
    run.count('runs that stood still')
    const what = `${title}, ${course.name} ${stop.point}, and it ${stop.then}`
    run.report(`${what} (${againFor(run, 'stops', at)})`, violations)
  })
  sites.close()
  run.say(`${title}: ${chosen.length} runs were suspended, then resumed or killed`)
}

/** Lists the points at which a run at a new site holds the lock. */
export async function listLockPoints(place: (url: string) => Promise<Place>): Promise<readonly string[]> {
  const sites = await realSites(1)
  const points = await pointsWithLock(await place(eachOnce(sites)()))
  sites.close()
  return points
}
