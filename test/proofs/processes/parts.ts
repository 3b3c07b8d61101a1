import { inTurns } from '../../support/in-turns.js'
import type { CheckRun } from '../check.js'
import { type Kill, killed, pointsOf, pointsWithLock } from './kill.js'
import type { Place } from './landform-process.js'
import { numbersRaced } from './number-race.js'
import { raced } from './race.js'
import { type RealSites, realSites } from './real-site.js'
import type { WriterKind } from './writer-process.js'

type Run = Pick<CheckRun, 'count' | 'report' | 'say' | 'violation'>

/** What every part has: a title for its lines, and the command that runs one of its cases again. */
interface Part {
  readonly title: string
  again(one: string | number): string
}

/** Counts how often each thing happened. */
export function newTally() {
  const all = new Map<string | number, number>()
  return {
    add: (what: string | number) => void all.set(what, (all.get(what) ?? 0) + 1),
    of: (what: string | number) => all.get(what) ?? 0,
    format: () => [...all].map(([what, times]) => `${times} x ${what}`).join(', '),
  }
}

/** Draws some of the items. */
export function drawn<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  return items
    .map(item => ({ item, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, count)
    .map(({ item }) => item)
}

/** Hands out the sites of an emulator, each once. */
export function eachOnce({ urls }: RealSites): () => string {
  const rest = urls.values()
  return () => {
    const { value } = rest.next()
    if (value === undefined) throw new Error('there are too few sites')
    return value
  }
}

interface NumberRaces extends Part {
  readonly kind: WriterKind
  /** A place for each writer. */
  readonly places: readonly string[]
  readonly rounds: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Lets processes ask for the same versions of the state at once. */
export async function raceForNumbers(run: Run, races: NumberRaces) {
  const { title, again, kind, places, rounds, environment } = races
  const { won, violations } = await numbersRaced(kind, places, rounds, environment)
  run.count('races for numbers', rounds)
  run.report(`${title} (${again(kind)})`, violations)
  run.say(`${title}: ${places.length} processes asked for ${rounds} versions, and one made each of ${won}`)
}

const naiveRounds = 60

/** Races writers that look before they write, which must be found. */
export async function raceNaive(run: Run, kind: WriterKind, places: readonly string[]) {
  const { violations } = await numbersRaced(kind, places, naiveRounds)
  if (violations.length === 0) run.violation('writers that look before they write were not found')
  run.count('controls found', Number(violations.length > 0))
  run.say(`control: writers that look before they write broke ${violations.length} of ${naiveRounds} numbers`)
}

interface SiteRaces extends Part {
  readonly races: number
  readonly contenders: number
  readonly atOnce?: number
  /** The number of the only race. */
  readonly only?: string | undefined
  place(at: number, url: string): Promise<Place>
}

/** Lets processes apply each site at once, and returns the number of violations. */
export async function raceForSites(run: Run, part: SiteRaces): Promise<number> {
  const { title, again, races, contenders, atOnce = 1, only } = part
  // The sites take their time, so a run that starts later still meets the one with the lock.
  const sites = await realSites(races, '--stage-time', '60ms')
  const ends = newTally()
  let found = 0
  await inTurns(numbered(sites.urls, only), atOnce, async ([at, url]) => {
    const place = await part.place(at, url)
    const all = Array.from({ length: contenders }, () => ({ place }))
    const { codes, violations } = await raced(all, sites)
    run.count('races for sites')
    codes.forEach(ends.add)
    found += violations.length
    run.report(`${title}, race ${at}, ${place.kind} (${again(at)})`, violations)
  })
  sites.close()
  run.count('runs rejected by the lock', ends.of(7))
  run.say(`${title}: ${contenders} processes raced for each of ${races} sites: ${ends.format()}`)
  return found
}

/** Numbers the items, and selects the one with a number if that is given. */
export function numbered<T>(items: readonly T[], only?: string): readonly (readonly [number, T])[] {
  return [...items.entries()].filter(([at]) => only === undefined || at === Number(only))
}

/** A kill with its name. */
export type NamedKill = Pick<Kill, 'at' | 'afterMs'> & { readonly name: string }

interface PointKills extends Part {
  readonly sites: RealSites
  readonly atOnce: number
  /** How long a further run waits for a sign of the request, in seconds. */
  readonly seconds: number
  /** Makes a new place with a site of its own. */
  place(): Promise<Place>
  choose(points: readonly string[]): readonly NamedKill[]
}

/** Kills runs at points between two of their effects, and returns the number of violations. */
export async function killAtPoints(run: Run, part: PointKills): Promise<number> {
  const { title, again, sites, atOnce, seconds } = part
  const points = await pointsOf(await part.place())
  const chosen = part.choose(points)
  const ends = newTally()
  let found = 0
  await inTurns(chosen, atOnce, async ({ name, ...kill }) => {
    const { codes, violations } = await killed(await part.place(), sites, { ...kill, seconds })
    run.count('kills at points')
    ends.add(codes.join(' '))
    found += violations.length
    run.report(`${title}, killed ${name} (${again(name)})`, violations)
  })
  run.say(`${title}: killed ${chosen.length} times at ${points.length} points; ${ends.format()}`)
  return found
}

/** Lists the points at which a run at a new site holds the lock. */
export async function lockPoints(place: (url: string) => Promise<Place>): Promise<readonly string[]> {
  const sites = await realSites(1)
  const points = await pointsWithLock(await place(eachOnce(sites)()))
  sites.close()
  return points
}

/** A run that is stopped in some way, and what must hold after it. */
export interface StoppedRun {
  readonly name: string
  play(url: string, sites: RealSites, at: number): Promise<readonly string[]>
}

/** Stops runs, three at a time. */
export async function stopRuns(
  run: Run,
  part: Part & { readonly only?: string | undefined },
  runs: readonly StoppedRun[],
) {
  const sites = await realSites(runs.length)
  await inTurns(numbered(runs, part.only), 3, async ([at, { name, play }]) => {
    run.count('runs that stood still')
    run.report(`${name} (${part.again(at)})`, await play(sites.urls[at] ?? '', sites, at))
  })
  sites.close()
  run.say(`${part.title}: ${runs.length} runs were suspended, and woke or died`)
}
