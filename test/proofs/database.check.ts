import { join } from 'node:path'
import { inTurns } from '../support/in-turns.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../support/postgres.js'
import { rowsOf } from '../support/postgres-rows.js'
import { type CheckRun, declareCheck } from './check.js'
import { appliedThrough, crashed, freedAfterMs, overtaken } from './processes/in-database.js'
import { killed, pointsOf, pointsWithSite } from './processes/kill.js'
import type { Place } from './processes/landform-process.js'
import { numbersRaced } from './processes/number-race.js'
import { placeInDatabase } from './processes/place.js'
import { raced, stopped } from './processes/race.js'
import { realSites } from './processes/real-site.js'
import { randomFrom } from './sim/interleave.js'

/** `--only` names one of the six parts. */
const figures = {
  numbers: [20, 400],
  races: [2, 40],
  kills: [6, 120],
  stops: [4, 40],
  crashes: [4, 80],
  only: ['', ''],
} as const

/**
 * Lets 8 processes ask a database for the same version of the state at once, and apply the same site at once; kills the run
 * that has a site at each of its points, and stops it until its lease is over; and kills the server, which flushes what it
 * says, under a writer and under runs. The control looks before it writes, and has to be found out.
 */
export const check = declareCheck({
  name: 'database',
  shows:
    'When processes race in a database, only one configures a site. If a process or the server dies or is suspended, nothing acknowledged is lost.',
  counts: {
    'races for numbers': [20, 400],
    'races for sites': [2, 40],
    'kills at points': [6, 120],
    'runs that stood still': [4, 40],
    'versions kept': [50, 2000],
    'kills of the server': [8, 160],
    'controls found': [1, 1],
  },
  short: 'release',
  figures,
  async run(run) {
    if (!postgresIsHere) return skipAll(run)
    const folder = run.scratchFolder()
    const server = await postgres({ isDurable: true })
    const { only } = run.figures
    try {
      for (const [name, part] of Object.entries(parts)) {
        if (only !== '' && name !== only) continue
        await part({ run, folder, server, connection: await server.freshDatabase() })
      }
    } finally {
      await server.stop()
    }
  },
})

type Run = CheckRun<typeof figures>

interface DatabaseFixture {
  readonly run: Run
  readonly folder: string
  readonly server: PostgresServer
  /** The connection string of a database that is empty at first. */
  readonly connection: string
}

const parts: Readonly<Record<string, (ground: DatabaseFixture) => Promise<void>>> = {
  numbers: raceForNumbers,
  races: raceForSites,
  kills: killHolders,
  stops: standStill,
  crashes: killServer,
  control: raceControl,
}

const contenders = 8
const maxFreedMs = 2000
const freedTurns = 3

function skipAll({ skip }: Run) {
  skip(
    `no PostgreSQL: install ${postgresPackages}`,
    'races for numbers',
    'races for sites',
    'kills at points',
    'runs that stood still',
    'kills of the server',
    'controls found',
  )
}

async function raceForNumbers({ run, connection }: DatabaseFixture) {
  const { numbers } = run.figures
  const places = Array.from({ length: contenders }, () => connection)
  const { won, violations } = await numbersRaced('postgres', places, numbers)
  run.count('races for numbers', numbers)
  run.complain(again(run, 'numbers'), violations)
  run.say(`${contenders} processes asked for ${numbers} numbers, and ${won} were made by one of them`)
}

async function raceForSites({ run, folder, connection }: DatabaseFixture) {
  const sites = await realSites(run.figures.races, '--stage-time', '60ms')
  const ends: Record<string, number> = {}
  await inTurns([...sites.urls.entries()], 2, async ([at, url]) => {
    const place = await placeInDatabase(join(folder, `race-${at}`), connection, url)
    const all = Array.from({ length: contenders }, () => ({ place }))
    const { codes, violations } = await raced(all, sites)
    run.count('races for sites')
    for (const code of codes) ends[code] = (ends[code] ?? 0) + 1
    run.complain(`race ${at} (${again(run, 'races')})`, violations)
  })
  sites.close()
  run.count('runs rejected by the lock', ends[7] ?? 0)
  run.say(`${contenders} processes raced for each site: ${JSON.stringify(ends)}`)
}

async function killHolders({ run, folder, connection }: DatabaseFixture) {
  const { kills } = run.figures
  const random = randomFrom(run.seed)
  const sites = await realSites(kills + freedTurns + 1)
  const urls = sites.urls.values()
  const placed = (name: string) => placeInDatabase(join(folder, name), connection, urls.next().value ?? '')
  const points = await pointsOf(await placed('points'))
  const first = Math.floor(random() * points.length)
  const step = kills < points.length ? Math.floor(points.length / kills) : 1
  const chosen = Array.from({ length: kills }, (_, turn) => (first + turn * step) % points.length)
  await inTurns([...chosen.entries()], 4, async ([turn, at]) => {
    const { violations } = await killed(await placed(`kill-${turn}`), sites, { at, seconds: 5 })
    run.count('kills at points')
    run.complain(`killed ${points[at]} (${again(run, 'kills')})`, violations)
  })
  const longestMs = await longestFreedMs(placed)
  sites.close()
  if (longestMs > maxFreedMs)
    run.violation(`a site was free only ${longestMs} ms after its process was killed`)
  run.say(
    `${kills} runs were killed at ${points.length} points; a site was free after ${longestMs.toFixed(1)} ms`,
  )
}

async function longestFreedMs(placed: (name: string) => Promise<Place>): Promise<number> {
  let longestMs = 0
  for (let turn = 0; turn < freedTurns; turn += 1)
    longestMs = Math.max(longestMs, await freedAfterMs(await placed(`freed-${turn}`)))
  return longestMs
}

async function standStill({ run, folder, connection }: DatabaseFixture) {
  const one = await realSites(1)
  const points = await pointsWithSite(
    await placeInDatabase(join(folder, 'points'), connection, one.urls[0] ?? ''),
  )
  one.close()
  const chosen = stopsOf(run, points)
  const sites = await realSites(chosen.length)
  await inTurns([...chosen.entries()], 3, async ([at, { course, ...stop }]) => {
    const place = await placeInDatabase(join(folder, `stop-${at}`), connection, sites.urls[at] ?? '')
    run.count('runs that stood still')
    const what = `${course.name}, ${stop.point}, and it ${stop.then} (${again(run, 'stops')})`
    run.complain(what, await course(place, sites, stop))
  })
  sites.close()
  run.say(`${chosen.length} runs stood still, some past their lease, and woke or died`)
}

function stopsOf({ figures: { stops }, seed }: Run, points: readonly string[]) {
  const random = randomFrom(seed)
  const all = (['wakes', 'dies'] as const).flatMap(then =>
    [stopped, overtaken].flatMap(course => points.map(point => ({ course, then, point }))),
  )
  return all
    .map(stop => ({ stop, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, stops)
    .map(({ stop }) => stop)
}

async function killServer({ run, folder, server, connection }: DatabaseFixture) {
  const { crashes } = run.figures
  const random = randomFrom(run.seed)
  const afterMs = Array.from({ length: crashes }, () => Math.floor(random() * 400))
  const { acknowledged, violations } = await crashed(server, connection, afterMs)
  run.count('versions kept', acknowledged)
  run.complain(`under a writer (${again(run, 'crashes')})`, violations)
  const sites = await realSites(crashes, '--stage-time', '30ms')
  const ends: Record<string, number> = {}
  for (const [at, url] of sites.urls.entries()) {
    const place = await placeInDatabase(join(folder, `crash-${at}`), connection, url)
    const waitMs = 200 + Math.floor(random() * 1200)
    const { codes, violations: found } = await appliedThrough(server, [place, sites], waitMs)
    ends[codes.join(' ')] = (ends[codes.join(' ')] ?? 0) + 1
    run.complain(`under an apply after ${waitMs} ms (${again(run, 'crashes')})`, found)
  }
  sites.close()
  run.count('kills of the server', 2 * crashes)
  run.say(
    `the server was killed under a writer with ${acknowledged} versions, and under runs: ${JSON.stringify(ends)}`,
  )
}

const naiveNumbers = 40

/** Races those who look before they write, of whom two make one number. */
async function raceControl({ run, connection }: DatabaseFixture) {
  await rowsOf(connection, 'create table naive (serial integer)')
  const places = Array.from({ length: contenders }, () => connection)
  const { violations } = await numbersRaced('naive table', places, naiveNumbers)
  if (violations.length === 0) run.violation('nobody found out those who look before they write')
  run.count('controls found', Number(violations.length > 0))
  run.say(
    `control: of those who look before they write two made ${violations.length} of ${naiveNumbers} numbers`,
  )
}

function again(run: Run, part: string): string {
  return run.again('--seed', `${run.seed}`, '--only', part)
}
