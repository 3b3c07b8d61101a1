import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inTurns } from '../support/in-turns.js'
import { type CheckRun, declareCheck, type Figures } from './check.js'
import { killAfter, killed, pointsOf } from './processes/kill.js'
import { type Place, runApply } from './processes/landform-process.js'
import {
  againFor,
  eachOnce,
  killAtPoints,
  type NamedKill,
  newTally,
  type PartRun,
  secondsFor,
} from './processes/parts.js'
import { placeIn } from './processes/place.js'
import { realSites } from './processes/real-site.js'
import { randomFrom } from './sim/interleave.js'

const figures = {
  /** One in so many of the points is tried. */
  every: [48, 1],
  /** The number of runs that are killed at a random moment. */
  random: [4, 1000],
  /** The number of runs that lose their state. */
  controls: [3, 10],
  /** The name of one kill. */
  only: ['', ''],
} as const satisfies Figures

/**
 * Kills runs of apply at every point between two of their effects, and while the request is on its way. Kills the program as
 * users start it, at any moment, with state in files and in git, and with slow services. Then completes the site with further
 * runs of `landform apply`. The control loses the state with the process, and must be found.
 */
export const check = declareCheck({
  name: 'kill',
  shows: 'After a real run is killed at any point, the next run completes the site.',
  counts: { 'kills at points': [3, 250], 'kills at random': [4, 1000], 'controls found': [3, 9] },
  short: 'test',
  figures,
  async run(run) {
    const folder = run.scratchFolder()
    const placeOf: PlaceOf = (kind, url) => placeIn(mkdtempSync(join(folder, 'place-')), kind, url)
    const [wanted, wantedDelay] = run.figures.only.split(' ')
    for (const [at, delay] of delays.points.entries())
      if (wanted === '' || (wanted !== 'random' && wantedDelay === String(delay)))
        await killAtAll(run, placeOf, { delay, turn: at })
    if (wanted === '' || wanted === 'random') await killAtRandom(run, placeOf)
    if (wanted === '') await control(run, placeOf)
  },
})

type Run = CheckRun<typeof figures> & PartRun
type Kind = (typeof kinds)[number]
/** Creates a place of a kind for a site. */
type PlaceOf = (kind: Kind, url: string) => Promise<Place>

const kinds = ['file', 'git'] as const
/** In milliseconds. The longest delay lets another run start and send a second request, even on a slow machine. */
const delays = { points: [0, 300, 4000], random: [0, 300, 1200] } as const
const inFlightMs = [0, 10, 30, 60, 100, 200, 250, 300, 400, 600, 900, 1200, 1500]
const atOnce = 6
const inPortions = 100

async function killAtAll(
  run: Run,
  placeOf: PlaceOf,
  { delay, turn }: { readonly delay: number; readonly turn: number },
): Promise<void> {
  const { every, only } = run.figures
  for (const kind of kinds.filter(one => only === '' || only.startsWith(`${one} `))) {
    // Each service and each kind starts at another point, so that a few kills are spread over all points.
    const choose = (points: readonly string[]) =>
      namedKills(points, `${kind} ${delay}`).filter(({ name }, at) =>
        only === '' ? (at + 5 * turn) % every === 0 : name === only,
      )
    const backend = { title: kind, place: (_: string, url: string) => placeOf(kind, url) }
    await killAtPoints(run, backend, { delay, atOnce, choose })
  }
}

/** Names a kill at each point, and some kills while the request is on its way. */
function namedKills(points: readonly string[], prefix: string): readonly NamedKill[] {
  const send = points.indexOf('before send')
  return [
    ...points.map((point, at) => ({ at, name: `${prefix} ${at} ${point}` })),
    ...inFlightMs.map(afterMs => ({
      at: send,
      afterMs,
      name: `${prefix} ${send} sent ${afterMs} ms ago`,
    })),
  ]
}

/** Kills runs at random moments of their measured duration, in portions with services of different speed. */
async function killAtRandom(run: Run, placeOf: PlaceOf): Promise<void> {
  const { random, only } = run.figures
  const [codes, journals] = [newTally(), newTally()]
  let hit = 0
  let late = 0
  // A run that ended before its kill does not count, so more portions follow.
  for (let portion = 0; hit < random && portion <= (3 * random) / inPortions; portion += 1) {
    const delay = delays.random[portion % delays.random.length] ?? 0
    const chosen = Array.from({ length: inPortions }, (_, at) => portion * inPortions + at).filter(
      at => only === '' || only === `random ${at}`,
    )
    if (chosen.length === 0) continue
    const sites = await realSites(inPortions + atOnce, '--fault', `configure=delay:${delay}ms`)
    const nextUrl = eachOnce(sites)
    const longest = {
      file: await timeOf('file', placeOf, nextUrl),
      git: await timeOf('git', placeOf, nextUrl),
    }
    await inTurns(chosen, atOnce, async at => {
      if (hit >= random) return
      const kind = at % 2 === 0 ? 'file' : 'git'
      const afterMs = Math.round(randomFrom(run.seed + at)() * longest[kind])
      const end = await killAfter(await placeOf(kind, nextUrl()), sites, {
        afterMs,
        seconds: secondsFor(delay),
      })
      if (end.codes[0] === 'crashed') {
        hit += 1
        codes.add(end.codes.join(' '))
        journals.add(end.journal)
      } else late += 1
      const name = `${kind}, ${delay} ms, killed after ${afterMs} ms, ${end.journal}`
      run.report(`${name} (${againFor(run, 'random', at)})`, end.violations)
    })
    sites.close()
  }
  run.count('kills at random', hit)
  run.say(`killed at ${hit} random moments: ${codes.format()}; ${late} runs had ended before`)
  run.say(`  the journal then: ${journals.format()}`)
}

/** Measures the duration of a run beside others, and adds a small margin. */
async function timeOf(kind: Kind, placeOf: PlaceOf, nextUrl: () => string): Promise<number> {
  const places = await Promise.all(Array.from({ length: atOnce / 2 }, () => placeOf(kind, nextUrl())))
  const started = performance.now()
  await Promise.all(places.map(place => runApply(place)))
  return (performance.now() - started) * 1.05
}

/** Loses the state with the process. Without a journal, the second run sends a second request, which must be found. */
async function control({ count, figures: { controls }, say, violation }: Run, placeOf: PlaceOf) {
  const sites = await realSites(controls + 1, '--fault', 'configure=delay:3s')
  const nextUrl = eachOnce(sites)
  let found = 0
  try {
    const points = await pointsOf(await placeOf('file', nextUrl()))
    const send = points.indexOf('before send')
    const places = await Promise.all(Array.from({ length: controls }, () => placeOf('file', nextUrl())))
    await inTurns(places, atOnce, async place => {
      const forget = () => rmSync(join(dirname(place.file), '.landform'), { recursive: true })
      const { violations } = await killed(place, sites, { at: send, afterMs: 100, forget })
      if (violations.length > 0) found += 1
    })
  } finally {
    sites.close()
  }
  count('controls found', found)
  if (found < controls * 0.9) violation('the control was found too rarely, so these kills show little')
  say(`control: ${found} of ${controls} runs that lost their state were found`)
}
