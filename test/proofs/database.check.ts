import { join } from 'node:path'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../support/postgres.js'
import { rowsOf } from '../support/postgres-rows.js'
import { type CheckRun, declareCheck } from './check.js'
import { applyThroughKill, crashed, measureLockMs, overtake } from './processes/in-database.js'
import {
  againFor,
  type Backend,
  killAtPoints,
  newTally,
  type PartRun,
  raceForNumbers,
  raceForSites,
  raceNaive,
  spread,
  stopHolders,
  type Writers,
} from './processes/parts.js'
import { placeInDatabase } from './processes/place.js'
import { stopped } from './processes/race.js'
import { realSites } from './processes/real-site.js'
import { randomFrom } from './sim/interleave.js'

/** `--only` selects one of the six parts. */
const figures = {
  numbers: [20, 400],
  races: [2, 40],
  kills: [6, 120],
  stops: [4, 40],
  crashes: [4, 80],
  only: ['', ''],
} as const

const counts = {
  'races for numbers': [20, 400],
  'races for sites': [2, 40],
  'kills at points': [6, 120],
  'runs that stood still': [4, 40],
  'versions kept': [50, 2000],
  'kills of the server': [8, 160],
  'controls found': [1, 1],
} as const

/**
 * Starts 8 processes that create the same version of the state in a database at once, and apply the same site at once. Kills
 * runs between their effects, suspends the run with the lock until its lease has expired, and kills the server, which flushes
 * before it acknowledges, during writes and runs. The control checks before it writes, and must be found.
 */
export const check = declareCheck({
  name: 'database',
  shows:
    'When processes race in a database, only one configures a site. If a process or the server dies or is suspended, nothing acknowledged is lost.',
  counts,
  short: 'release',
  figures,
  async run(run) {
    if (!postgresIsHere) return run.skip(`no PostgreSQL: install ${postgresPackages}`, ...Object.keys(counts))
    const folder = run.scratchFolder()
    const server = await postgres({ isDurable: true })
    const [only] = run.figures.only.split(' ')
    try {
      for (const [name, part] of Object.entries(parts)) {
        if (only !== '' && name !== only) continue
        const connection = await server.freshDatabase()
        const backend: Backend & Writers = {
          title: 'database',
          kind: 'postgres',
          contenders,
          places: Array.from({ length: contenders }, () => connection),
          place: (one, url) => placeInDatabase(join(folder, `${name}-${one}`), connection, url),
        }
        await part({ run, server, connection, backend })
      }
    } finally {
      await server.stop()
    }
  },
})

type Run = CheckRun<typeof figures>

interface DatabaseFixture {
  readonly run: Run & PartRun
  readonly server: PostgresServer
  /** The connection string of an empty database. */
  readonly connection: string
  readonly backend: Backend & Writers
}

const contenders = 8
const maxFreedMs = 2000
const freedTurns = 3

const parts: Readonly<Record<string, (fixture: DatabaseFixture) => Promise<unknown>>> = {
  numbers: ({ run, backend }) => raceForNumbers(run, backend, run.figures.numbers),
  races: ({ run, backend }) => raceForSites(run, backend, { races: run.figures.races, atOnce: 2 }),
  async kills({ run, backend }) {
    const choose = (points: readonly string[]) =>
      spread(points, run.figures.kills, Math.floor(randomFrom(run.seed)() * points.length))
    await killAtPoints(run, backend, { atOnce: 4, seconds: 5, only: 'kills', choose })
    await measureFreeing(run, backend)
  },
  stops: ({ run, backend }) =>
    stopHolders(run, backend, { stops: run.figures.stops, courses: [stopped, overtake] }),
  crashes: killServer,
  async control({ run, connection, backend }) {
    await rowsOf(connection, 'create table naive (serial integer)')
    await raceNaive(run, { kind: 'naive table', places: backend.places })
  },
}

async function measureFreeing(run: Run, { place }: Backend) {
  const sites = await realSites(freedTurns)
  let longestMs = 0
  for (const [turn, url] of sites.urls.entries())
    longestMs = Math.max(longestMs, await measureLockMs(await place(`freed-${turn}`, url)))
  sites.close()
  if (longestMs > maxFreedMs)
    run.violation(`I5: the lock of a killed process was free only after ${longestMs} ms`)
  run.say(`the lock of a killed process was free after ${longestMs.toFixed(1)} ms`)
}

async function killServer({ run, server, connection, backend }: DatabaseFixture) {
  const { crashes } = run.figures
  const random = randomFrom(run.seed)
  const afterMs = Array.from({ length: crashes }, () => Math.floor(random() * 400))
  const { acknowledged, violations } = await crashed(server, connection, afterMs)
  run.count('versions kept', acknowledged)
  run.report(`under a writer (${againFor(run, 'crashes')})`, violations)
  const sites = await realSites(crashes, '--stage-time', '30ms')
  const ends = newTally()
  for (const [at, url] of sites.urls.entries()) {
    const place = await backend.place(`crash-${at}`, url)
    const waitMs = 200 + Math.floor(random() * 1200)
    const { codes, violations: found } = await applyThroughKill(server, [place, sites], waitMs)
    ends.add(codes.join(' '))
    run.report(`under an apply after ${waitMs} ms (${againFor(run, 'crashes')})`, found)
  }
  sites.close()
  run.count('kills of the server', 2 * crashes)
  run.say(
    `the server was killed under a writer with ${acknowledged} versions, and under runs: ${ends.format()}`,
  )
}
