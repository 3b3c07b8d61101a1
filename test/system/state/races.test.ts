import { join } from 'node:path'
import { type ExitCode, exitCodes } from '../../../src/report/exit-code.js'
import type { Place } from '../../proofs/processes/landform-process.js'
import { numbersRaced } from '../../proofs/processes/number-race.js'
import { placeIn, placeInDatabase, placeOnServer } from '../../proofs/processes/place.js'
import { raced } from '../../proofs/processes/race.js'
import { realSites } from '../../proofs/processes/real-site.js'
import { type StateServer, stateServers } from '../../proofs/processes/state-server.js'
import type { WriterKind } from '../../proofs/processes/writer-process.js'
import { isAtLength } from '../../support/cases.js'
import { bareRepository, checkout } from '../../support/git-repositories.js'
import { postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

/** Twenty with `PROPERTY_FACTOR`. Processes are expensive, and four of them also collide. */
const runs = Array.from({ length: isAtLength ? 20 : 4 })
/** Far more than any machine needed until its processes collided. */
const attempts = 8

/** State of one kind: the location for each writer, and a function that prepares a site in it. */
interface Kept {
  readonly places: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  place(folder: string, url: string): Promise<Place>
}

const onServer = (kind: StateServer['kind']) => async (): Promise<Kept> => {
  const server = await stateServers[kind](await temporaryFolder())
  const { location, environment } = server
  return {
    places: runs.map(() => location),
    environment,
    place: (folder, url) => placeOnServer(folder, server, url),
  }
}

async function inFolder(): Promise<Kept> {
  const folder = await temporaryFolder()
  return { places: runs.map(() => folder), place: (here, url) => placeIn(here, 'file', url) }
}

async function inRepository(): Promise<Kept> {
  const bare = await bareRepository()
  const places: string[] = []
  for (const _ of runs) places.push(await checkout(bare))
  return { places, place: (folder, url) => placeIn(folder, 'git', url) }
}

async function inDatabase(): Promise<Kept> {
  const server = await postgres()
  const connection = await server.freshDatabase()
  return {
    places: runs.map(() => connection),
    place: (folder, url) => placeInDatabase(folder, connection, url),
  }
}

function describeRaces(kind: WriterKind, start: () => Promise<Kept>): void {
  test(`of ${runs.length} concurrent processes that add a version in ${kind} one succeeds`, async () => {
    const { places, environment } = await start()
    expect(await numbersRaced(kind, places, 5, environment)).toEqual({ won: 5, violations: [] })
  })

  test(`of ${runs.length} concurrent processes that apply a site with its state in ${kind} one configures it`, async () => {
    const sites = await realSites(attempts, '--stage-time', '60ms')
    const kept = await start()
    const codes: ExitCode[] = []
    // On a busy machine a process may finish before the next has started. A race without a collision is repeated.
    for (const [index, url] of sites.urls.entries()) {
      const place = await kept.place(join(await temporaryFolder(), `site-${index}`), url)
      const race = await raced(
        runs.map(() => ({ place })),
        sites,
      )
      expect(race.violations).toEqual([])
      codes.push(...race.codes)
      if (codes.includes(exitCodes.locked)) break
    }
    expect(codes).toContain(exitCodes.locked)
  })
}

describeRaces('file', inFolder)
describeRaces('git', inRepository)
describeRaces('s3', onServer('s3'))
describeRaces('azblob', onServer('azblob'))
describeRaces('kubernetes', onServer('kubernetes'))
describeWhere(postgresIsHere, postgresPackages)('with PostgreSQL', () => {
  describeRaces('postgres', inDatabase)
})
