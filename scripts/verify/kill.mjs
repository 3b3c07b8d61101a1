// Kills runs of apply at every point between two of their effects, and while the request is under way; and the program as
// users start it, at any moment, with state in files and in git and with services that take their time. Then runs
// `landform apply` until it is over. The control loses the state with the process, and has to be found out.
// `--every N` takes each Nth point.
import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { killed, killedAfter, pointsOf } from '../../dist/test/proofs/processes/kill.js'
import { landformApply } from '../../dist/test/proofs/processes/landform-process.js'
import { placeIn } from '../../dist/test/proofs/processes/place.js'
import { realSites } from '../../dist/test/proofs/processes/real-site.js'
import { randomFrom } from '../../dist/test/proofs/sim/interleave.js'
import { inTurns } from '../../dist/test/support/in-turns.js'
import { complain, conclude, count, figures, say, scratchFolder, violation } from './check.mjs'

const { every, random, controls, seed, only } = figures({
  every: [24, 1],
  random: [12, 1000],
  controls: [3, 10],
  only: ['', ''],
})
const kinds = ['file', 'git']
/** The longest is more than another run takes to begin and to send again, if it did, also on a slow machine. */
const delays = { points: [0, 300, 4000], random: [0, 300, 1200] }
const inFlightMs = [0, 10, 30, 60, 100, 200, 250, 300, 400, 600, 900, 1200, 1500]
const atOnce = 6
const inPortions = 100
/** How long a further run waits for a sign of the request: longer than the service may take. */
const secondsOf = delay => 2 + Math.ceil((1.5 * delay) / 1000)
const folder = scratchFolder()
const placeOf = (kind, url) => placeIn(mkdtempSync(join(folder, 'place-')), kind, url)

const [wanted, delayWanted] = only.split(' ')
for (const [at, delay] of delays.points.entries())
  if (wanted === '' || (wanted !== 'random' && delayWanted === String(delay))) await killAtPoints(delay, at)
if (wanted === '' || wanted === 'random') await killAtRandom()
if (wanted === '') await control()
conclude()

async function killAtPoints(delay, turn) {
  const sites = await realSites(120, '--fault', `configure=delay:${delay}ms`)
  const fresh = [...sites.urls]
  try {
    for (const kind of kinds.filter(one => only === '' || only.startsWith(`${one} `))) {
      const points = await pointsOf(await placeOf(kind, fresh.pop()))
      const send = points.indexOf('before send')
      const all = [
        ...points.map((point, at) => ({ at, name: `${kind} ${delay} ${at} ${point}` })),
        ...inFlightMs.map(afterMs => ({
          at: send,
          afterMs,
          name: `${kind} ${delay} ${send} sent ${afterMs} ms ago`,
        })),
      ]
      // Each service and each kind begins elsewhere, so that few of them are spread over all.
      const kills = all.filter(({ name }, at) =>
        only === '' ? (at + 5 * turn) % every === 0 : name === only,
      )
      const ends = {}
      await inTurns(kills, atOnce, async ({ name, ...kill }) => {
        const place = await placeOf(kind, fresh.pop())
        const { codes, violations } = await killed(place, sites, { ...kill, seconds: secondsOf(delay) })
        count('kills at points')
        tally(ends, codes.join(' '))
        complain(`${name} (npm run verify:kill -- --only '${name}')`, violations)
      })
      say(`${kind}, configure takes ${delay} ms: killed at ${kills.length} points; ${inWords(ends)}`)
    }
  } finally {
    sites.close()
  }
}

/** The moments are spread over the time that a run takes here and now; those that came too late count for nothing. */
async function killAtRandom() {
  const ends = {}
  const journals = {}
  let late = 0
  let hit = 0
  for (let from = 0; hit < random && from < 3 * random; from += inPortions) {
    const delay = delays.random[(from / inPortions) % delays.random.length]
    const sites = await realSites(inPortions + atOnce, '--fault', `configure=delay:${delay}ms`)
    const fresh = [...sites.urls]
    const longest = {}
    for (const kind of kinds) longest[kind] = await timeOf(kind, fresh)
    const all = Array.from({ length: Math.min(inPortions, random - hit) }, (_, at) => from + at)
    const chosen = only === '' ? all : all.filter(at => only === `random ${at}`)
    await inTurns(chosen, atOnce, async at => {
      const kind = kinds[at % 2]
      const place = await placeOf(kind, fresh.pop())
      const afterMs = Math.round(randomFrom(seed + at)() * longest[kind])
      const { codes, journal, violations } = await killedAfter(place, sites, {
        afterMs,
        seconds: secondsOf(delay),
      })
      if (codes[0] === 'crashed') {
        hit += 1
        tally(ends, codes.join(' '))
        tally(journals, journal)
      } else late += 1
      const again = `npm run verify:kill -- --seed ${seed} --only 'random ${at}'`
      complain(`${kind}, ${delay} ms, killed after ${afterMs} ms, ${journal} (${again})`, violations)
    })
    sites.close()
    if (only !== '' && chosen.length > 0) break
  }
  count('kills at random', hit)
  say(`killed at ${hit} random moments: ${inWords(ends)}; ${late} runs had ended before`)
  say(`  the journal then said: ${inWords(journals)}`)
}

/** How long a run takes where others run beside it, with a little on top. */
async function timeOf(kind, fresh) {
  const places = await Promise.all(Array.from({ length: atOnce / 2 }, () => placeOf(kind, fresh.pop())))
  const started = performance.now()
  await Promise.all(places.map(place => landformApply(place)))
  return (performance.now() - started) * 1.05
}

/** Without a journal the second run sends again, which the counters must show. */
async function control() {
  const sites = await realSites(controls + 1, '--fault', 'configure=delay:3s')
  let found = 0
  try {
    const points = await pointsOf(await placeOf('file', sites.urls[controls]))
    const send = points.indexOf('before send')
    await inTurns(sites.urls.slice(0, controls), atOnce, async url => {
      const place = await placeOf('file', url)
      const forget = () => rmSync(join(dirname(place.file), '.landform'), { recursive: true })
      const { violations } = await killed(place, sites, { at: send, afterMs: 100, forget })
      if (violations.length > 0) found += 1
    })
  } finally {
    sites.close()
  }
  count('controls found', found)
  if (found < controls * 0.9) violation('the control was found out too seldom, so these kills show little')
  say(`control: ${found} of ${controls} runs that lost their state were found out`)
}

function tally(all, what) {
  all[what] = (all[what] ?? 0) + 1
}

function inWords(all) {
  return Object.entries(all)
    .map(([what, times]) => `${times} x ${what}`)
    .join(', ')
}
