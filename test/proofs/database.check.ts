import { join } from 'node:path'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../support/postgres.js'
import { rowsOf } from '../support/postgres-rows.js'
import { type CheckRun, declareCheck } from './check.js'
import { appliedThrough, crashed, freedAfterMs, overtaken } from './processes/in-database.js'
import {
  drawn,
  eachOnce,
  killAtPoints,
  lockPoints,
  newTally,
  raceForNumbers,
  raceForSites,
  raceNaive,
  stopRuns,
} from './processes/parts.js'
import { placeInDatabase } from './processes/place.js'
import { stopped } from './processes/race.js'
import { type RealSites, realSites } from './processes/real-site.js'
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
 * Lets 8 processes ask a database for the same version of the state at once, and apply the same site at once. Kills the run
 * that has the lock at each of its points, and stops it until its lease is over. Kills the server, which flushes before it
 * acknowledges, under a writer and under runs. The control looks before it writes, and must be found.
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

const parts: Readonly<Record<string, (fixture: DatabaseFixture) => Promise<void>>> = {
  numbers: ({ run, connection }) =>
    raceForNumbers(run, {
      title: 'database',
      again: () => again(run, 'numbers'),
      kind: 'postgres',
      places: places(connection),
      rounds: run.figures.numbers,
    }),
  async races({ run, folder, connection }) {
    await raceForSites(run, {
      title: 'database',
      again: () => again(run, 'races'),
      races: run.figures.races,
      contenders,
      atOnce: 2,
      place: (at, url) => placeInDatabase(join(folder, `race-${at}`), connection, url),
    })
  },
  kills: killHolders,
  stops: stopHolders,
  crashes: killServer,
  async control({ run, connection }) {
    await rowsOf(connection, 'create table naive (serial integer)')
    await raceNaive(run, 'naive table', places(connection))
  },
}

const contenders = 8
const maxFreedMs = 2000
const freedTurns = 3

function places(connection: string): readonly string[] {
  return Array.from({ length: contenders }, () => connection)
}

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

async function killHolders({ run, folder, connection }: DatabaseFixture) {
  const { kills } = run.figures
  const sites = await realSites(kills + freedTurns + 1)
  const nextUrl = eachOnce(sites)
  let made = 0
  const place = () => {
    made += 1
    return placeInDatabase(join(folder, `kill-${made}`), connection, nextUrl())
  }
  const choose = (points: readonly string[]) => {
    const first = Math.floor(randomFrom(run.seed)() * points.length)
    const step = Math.max(1, Math.floor(points.length / kills))
    return Array.from({ length: kills }, (_, turn) => {
      const at = (first + turn * step) % points.length
      return { at, name: points[at] ?? '' }
    })
  }
  const part = { title: 'database', again: () => again(run, 'kills'), atOnce: 4, seconds: 5 }
  await killAtPoints(run, { ...part, sites, place, choose })
  let longestMs = 0
  for (let turn = 0; turn < freedTurns; turn += 1)
    longestMs = Math.max(longestMs, await freedAfterMs(await place()))
  sites.close()
  if (longestMs > maxFreedMs)
    run.violation(`I5: the lock of a killed process was free only after ${longestMs} ms`)
  run.say(`the lock of a killed process was free after ${longestMs.toFixed(1)} ms`)
}

async function stopHolders({ run, folder, connection }: DatabaseFixture) {
  const points = await lockPoints(url => placeInDatabase(join(folder, 'points'), connection, url))
  const all = (['wakes', 'dies'] as const).flatMap(then =>
    [stopped, overtaken].flatMap(course => points.map(point => ({ course, then, point }))),
  )
  const runs = drawn(all, run.figures.stops, randomFrom(run.seed)).map(({ course, ...stop }) => ({
    name: `${course.name}, ${stop.point}, and it ${stop.then}`,
    play: async (url: string, sites: RealSites, at: number) =>
      course(await placeInDatabase(join(folder, `stop-${at}`), connection, url), sites, stop),
  }))
  await stopRuns(run, { title: 'database', again: () => again(run, 'stops') }, runs)
}

async function killServer({ run, folder, server, connection }: DatabaseFixture) {
  const { crashes } = run.figures
  const random = randomFrom(run.seed)
  const afterMs = Array.from({ length: crashes }, () => Math.floor(random() * 400))
  const { acknowledged, violations } = await crashed(server, connection, afterMs)
  run.count('versions kept', acknowledged)
  run.report(`under a writer (${again(run, 'crashes')})`, violations)
  const sites = await realSites(crashes, '--stage-time', '30ms')
  const ends = newTally()
  for (const [at, url] of sites.urls.entries()) {
    const place = await placeInDatabase(join(folder, `crash-${at}`), connection, url)
    const waitMs = 200 + Math.floor(random() * 1200)
    const { codes, violations: found } = await appliedThrough(server, [place, sites], waitMs)
    ends.add(codes.join(' '))
    run.report(`under an apply after ${waitMs} ms (${again(run, 'crashes')})`, found)
  }
  sites.close()
  run.count('kills of the server', 2 * crashes)
  run.say(
    `the server was killed under a writer with ${acknowledged} versions, and under runs: ${ends.format()}`,
  )
}

function again(run: Run, part: string): string {
  return run.again('--seed', `${run.seed}`, '--only', part)
}
