import { join } from 'node:path'
import { inTurns } from '../support/in-turns.js'
import { type CheckRun, declareCheck } from './check.js'
import { type Killed, killed, killedAtRequest, pointsOf } from './processes/kill.js'
import { landformApply, type Place } from './processes/landform-process.js'
import { numbersRaced } from './processes/number-race.js'
import { placeOnServer } from './processes/place.js'
import { raced } from './processes/race.js'
import { realSites } from './processes/real-site.js'
import { type StateServer, stateServers } from './processes/state-server.js'

/** `--only` names one of the five parts; `every` is each so many of the kills, the others are counts for each kind. */
const figures = {
  numbers: [5, 200],
  races: [1, 10],
  every: [40, 1],
  only: ['', ''],
} as const

/**
 * The same as for state in files and in a database, with servers of object storage and of a cluster: 20 processes ask for
 * one version at once, and apply one site at once; a run is killed at each of its points, and with each of its requests to
 * the server, before and after that is carried out. The control is a server that creates whatever it is asked to.
 */
export const check = declareCheck({
  name: 'servers',
  shows:
    'When processes race for state in object storage or in a cluster, only one configures a site. After a run is killed, also with any of its requests there, the next run completes the site.',
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
    const { only } = run.figures
    for (const [name, part] of Object.entries(parts))
      if (only === '' || name === only)
        for (const [kind, start] of Object.entries(stateServers))
          await part({ run, folder: join(folder, `${name}-${kind}`), kind, start })
  },
})

type Run = CheckRun<typeof figures>

interface ServerFixture {
  readonly run: Run
  readonly folder: string
  readonly kind: string
  /** Starts a server; a folder of its own is for the files of its clients. */
  start(folder: string): Promise<StateServer>
}

const parts: Readonly<Record<string, (fixture: ServerFixture) => Promise<void>>> = {
  numbers: raceForNumbers,
  races: raceForSites,
  points: killAtPoints,
  requests: killWithRequests,
  control: raceOnLiar,
}

const contenders = Array.from({ length: 20 })
const atOnce = 6
/** How long the service takes to accept, in milliseconds; the longer one is more than another run takes to begin. */
const delays = [0, 4000]

async function raceForNumbers({ run, folder, kind, start }: ServerFixture) {
  const { numbers } = run.figures
  const server = await start(folder)
  const { location, environment } = server
  const places = contenders.map(() => location)
  const { won, violations } = await numbersRaced(server.kind, places, numbers, environment)
  await server.close()
  run.count('races for numbers', numbers)
  run.complain(`${kind} (${run.again('--only', 'numbers')})`, violations)
  run.say(`${kind}: 20 processes asked for ${numbers} versions, ${won} of which one of them made`)
}

async function raceForSites({ run, folder, kind, start }: ServerFixture) {
  const sites = await realSites(run.figures.races, '--stage-time', '60ms')
  const server = await start(folder)
  const ends = new Map<string, number>()
  for (const [at, url] of sites.urls.entries()) {
    const place = await placeOnServer(`${folder}-${at}`, server, url)
    const { codes, violations } = await raced(
      contenders.map(() => ({ place })),
      sites,
    )
    run.count('races for sites')
    for (const code of codes) tally(ends, `${code}`)
    run.complain(`${kind}, race ${at} (${run.again('--only', 'races')})`, violations)
  }
  await server.close()
  sites.close()
  run.say(`${kind}: 20 processes raced for each site: ${inWords(ends)}`)
}

async function killAtPoints({ run, folder, kind, start }: ServerFixture) {
  const server = await start(folder)
  let places = 0
  for (const [turn, delay] of delays.entries()) {
    const sites = await realSites(100, '--fault', `configure=delay:${delay}ms`)
    const urls = sites.urls.values()
    const placed = () => {
      places += 1
      return placeOnServer(`${folder}-${places}`, server, urls.next().value ?? '')
    }
    const points = await pointsOf(await placed())
    const chosen = someOf(run, [...points.entries()], turn)
    const ends = new Map<string, number>()
    await inTurns(chosen, atOnce, async ([at, point]) => {
      const seconds = 2 + Math.ceil((1.5 * delay) / 1000)
      const end: Killed = await killed(await placed(), sites, { at, seconds })
      run.count('kills at points')
      tally(ends, end.codes.join(' '))
      run.complain(`${kind}, killed ${point}, ${delay} ms (${run.again('--only', 'points')})`, end.violations)
    })
    sites.close()
    run.say(`${kind}, configure takes ${delay} ms: killed at ${chosen.length} points; ${inWords(ends)}`)
  }
  await server.close()
}

/** Each case has a server of its own, which counts the requests of one run. */
async function killWithRequests({ run, folder, kind, start }: ServerFixture) {
  const sites = await realSites(120, '--fault', 'configure=delay:300ms')
  const urls = sites.urls.values()
  let places = 0
  const onServer = async <T>(work: (place: Place, server: StateServer) => Promise<T>): Promise<T> => {
    places += 1
    const at = `${folder}-${places}`
    const server = await start(`${at}-server`)
    try {
      return await work(await placeOnServer(at, server, urls.next().value ?? ''), server)
    } finally {
      await server.close()
    }
  }
  const requests = await onServer(async (place, server) => {
    await landformApply(place)
    return server.requests.length
  })
  const all = Array.from({ length: requests }, (_, at) => at + 1).flatMap(request =>
    (['before', 'after'] as const).map(moment => ({ request, moment })),
  )
  const chosen = someOf(run, all, 1)
  const ends = new Map<string, number>()
  await inTurns(chosen, atOnce, ({ request, moment }) =>
    onServer(async (place, server) => {
      const { codes, violations } = await killedAtRequest(place, sites, {
        server,
        request,
        moment,
        seconds: 3,
      })
      run.count('kills with requests')
      tally(ends, codes.join(' '))
      const what = `${kind}, killed ${moment} its request ${request} was carried out`
      run.complain(`${what} (${run.again('--only', 'requests')})`, violations)
    }),
  )
  sites.close()
  run.say(`${kind}: killed with ${chosen.length} of ${all.length} requests to it; ${inWords(ends)}`)
}

/** Races on a server that creates each object again, which every process has to find out. */
async function raceOnLiar({ run, folder, kind, start }: ServerFixture) {
  const server = await start(folder)
  server.faults.ignoresConditions = true
  const places = contenders.map(() => server.location)
  const { won, violations } = await numbersRaced(server.kind, places, 1, server.environment)
  await server.close()
  const isFound = won === 0 && violations.every(text => !/ (?:made|taken)/.test(text))
  if (!isFound) run.violation(`${kind}: a server that ignores the condition was believed`)
  run.count('controls found', Number(isFound))
  run.say(`${kind}, control: nobody wrote to a server that ignores the condition`)
}

/** Each so many of the items, which each turn begins elsewhere. */
function someOf<T>({ figures: { every } }: Run, items: readonly T[], turn: number): readonly T[] {
  return items.filter((_, at) => (at + 13 * turn) % every === 0)
}

function tally(ends: Map<string, number>, code: string): void {
  ends.set(code, (ends.get(code) ?? 0) + 1)
}

function inWords(ends: ReadonlyMap<string, number>): string {
  return [...ends].map(([codes, times]) => `${times} x ${codes}`).join(', ')
}
