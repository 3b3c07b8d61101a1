import { join } from 'node:path'
import { inTurns } from '../support/in-turns.js'
import { type CheckRun, declareCheck } from './check.js'
import { killAtRequest } from './processes/kill.js'
import { type Place, runApply } from './processes/landform-process.js'
import { numbersRaced } from './processes/number-race.js'
import {
  againFor,
  type Backend,
  eachOnce,
  killAtPoints,
  newTally,
  type PartRun,
  raceForNumbers,
  raceForSites,
  type Writers,
} from './processes/parts.js'
import { placeOnServer } from './processes/place.js'
import { realSites } from './processes/real-site.js'
import { type StateServer, stateServers } from './processes/state-server.js'

/** `--only` selects one of the five parts, and `every` one in so many kills; the others are counts per kind. */
const figures = {
  numbers: [5, 200],
  races: [1, 10],
  every: [40, 1],
  only: ['', ''],
} as const

/**
 * Repeats the races and kills with doubles of object storage and of a cluster. 20 processes try to create one version at once,
 * and apply one site at once. A run is killed at each of its points, and at each of its requests to the server, before and
 * after the server performs it. The control is a server that ignores the condition of a write.
 */
export const check = declareCheck({
  name: 'servers',
  shows:
    'When processes race for state in object storage or a cluster, only one configures a site. After a run is killed at any point, or during any of its requests to the server, the next run completes the site.',
  counts: {
    'races for numbers': [10, 400],
    'races for sites': [2, 20],
    'kills at points': [2, 140],
    'kills with requests': [2, 150],
    'controls found': [2, 2],
  },
  short: 'release',
  figures,
  async run(run) {
    const folder = run.scratchFolder()
    const [only] = run.figures.only.split(' ')
    for (const [name, part] of Object.entries(parts))
      if (only === '' || name === only)
        for (const [kind, start] of Object.entries(stateServers))
          await part({ run, folder: join(folder, `${name}-${kind}`), kind, start })
  },
})

type Run = CheckRun<typeof figures> & PartRun

interface ServerFixture {
  readonly run: Run
  readonly folder: string
  readonly kind: string
  /** Starts a server, with the files of its clients in the folder. */
  start(folder: string): Promise<StateServer>
}

const contenders = Array.from({ length: 20 })
const atOnce = 6
/** How long the service takes to accept a `configure`, in milliseconds. The longer delay lets another run start. */
const delays = [0, 4000]

const parts: Readonly<Record<string, (fixture: ServerFixture) => Promise<void>>> = {
  numbers: fixture => withServer(fixture, (run, one) => raceForNumbers(run, one, run.figures.numbers)),
  races: fixture => withServer(fixture, (run, one) => raceForSites(run, one, run.figures)),
  points: fixture =>
    withServer(fixture, async (run, one) => {
      for (const [turn, delay] of delays.entries()) {
        const choose = (points: readonly string[]) =>
          someOf(
            run,
            points.map((name, at) => ({ at, name })),
            turn,
          )
        await killAtPoints(run, one, { delay, atOnce, only: 'points', choose })
      }
    }),
  requests: killWithRequests,
  control: raceOnLiar,
}

async function withServer(
  { run, folder, kind, start }: ServerFixture,
  work: (run: Run, backend: Backend & Writers) => Promise<unknown>,
): Promise<void> {
  const server = await start(folder)
  await work(run, {
    title: kind,
    kind: server.kind,
    contenders: contenders.length,
    places: contenders.map(() => server.location),
    environment: server.environment,
    place: (name, url) => placeOnServer(`${folder}-${name}`, server, url),
  })
  await server.close()
}

/** Kills runs at their requests. Each case has its own server, which counts the requests of one run. */
async function killWithRequests({ run, folder, kind, start }: ServerFixture) {
  const sites = await realSites(120, '--fault', 'configure=delay:300ms')
  const nextUrl = eachOnce(sites)
  let places = 0
  const onServer = async <T>(work: (place: Place, server: StateServer) => Promise<T>): Promise<T> => {
    places += 1
    const at = `${folder}-${places}`
    const server = await start(`${at}-server`)
    try {
      return await work(await placeOnServer(at, server, nextUrl()), server)
    } finally {
      await server.close()
    }
  }
  const requests = await onServer(async (place, server) => {
    await runApply(place)
    return server.requests.length
  })
  const all = Array.from({ length: requests }, (_, at) => at + 1).flatMap(request =>
    (['before', 'after'] as const).map(moment => ({ request, moment })),
  )
  const chosen = someOf(run, all, 1)
  const ends = newTally()
  await inTurns(chosen, atOnce, ({ request, moment }) =>
    onServer(async (place, server) => {
      const { codes, violations } = await killAtRequest(place, sites, {
        server,
        request,
        moment,
        seconds: 3,
      })
      run.count('kills with requests')
      ends.add(codes.join(' '))
      const what = `${kind}, killed ${moment} its request ${request} was carried out`
      run.report(`${what} (${againFor(run, 'requests')})`, violations)
    }),
  )
  sites.close()
  run.say(`${kind}: killed with ${chosen.length} of ${all.length} requests to it; ${ends.format()}`)
}

/** Races on a server that creates an existing object again. Every process must notice. */
async function raceOnLiar({ run, folder, kind, start }: ServerFixture) {
  const server = await start(folder)
  server.faults.ignoresConditions = true
  const places = contenders.map(() => server.location)
  const { won, violations } = await numbersRaced(server.kind, places, 1, server.environment)
  await server.close()
  const isFound = won === 0 && violations.every(text => !/ (?:made|taken)/.test(text))
  run.count('controls found', Number(isFound))
  if (isFound) run.say(`${kind}, control: no process wrote to a server that ignores the condition`)
  else run.violation(`${kind}: a process wrote to a server that ignores the condition`)
}

/** Selects one in `every` items. Each turn starts at another one. */
function someOf<T>({ figures: { every } }: Run, items: readonly T[], turn: number): readonly T[] {
  return items.filter((_, at) => (at + 13 * turn) % every === 0)
}
