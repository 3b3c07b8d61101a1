// Kills real runs of apply at every point between two of their effects, and while the request is under way, with state in
// files and in git and with services that take their time; then runs `landform apply` until it is over. The control loses
// the state with the process, and has to be found out. `npm run verify:kill [-- --short]`; `--every N` takes each Nth point.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { killed, pointsOf } from '../../dist/test/proofs/processes/kill.js'
import { placeIn } from '../../dist/test/proofs/processes/place.js'
import { realSites } from '../../dist/test/proofs/processes/real-site.js'
import { complain, conclude, count, figures, say, violation } from './check.mjs'

const { every } = figures({ every: [12, 1] })
const delays = [0, 300, 1200]
const inFlightMs = [0, 10, 30, 60, 100, 200, 250, 300, 400, 600, 900, 1200, 1500]
// Most of the time is spent waiting for a sign of what was never sent.
const atOnce = 6
const controls = 10
const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))

try {
  for (const delay of delays) await killAll(delay)
  await control()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
conclude()

async function killAll(delay) {
  const sites = await realSites(120, '--fault', `configure=delay:${delay}ms`)
  const places = sites.urls.map((url, at) => kind => placeIn(join(folder, `${delay}-${at}`), kind, url))
  try {
    for (const kind of ['file', 'git']) {
      const points = await pointsOf(await places.pop()(kind))
      const send = points.indexOf('before send')
      const kills = [
        ...points.map((_, at) => ({ at })).filter(({ at }) => at % every === 0),
        ...inFlightMs.filter((_, at) => at % every === 0).map(afterMs => ({ at: send, afterMs })),
      ]
      count('kills', kills.length)
      const runs = {}
      await inTurns(kills, async kill => {
        const { codes, violations: found, point } = await killed(await places.pop()(kind), sites, kill)
        const ends = codes.join(' ')
        runs[ends] = (runs[ends] ?? 0) + 1
        complain(`${kind}, ${delay} ms, ${point} ${kill.afterMs ?? ''}`, found)
      })
      const ends = Object.entries(runs).map(([codes, times]) => `${times} x ${codes}`)
      say(`${kind}, configure takes ${delay} ms: killed at ${kills.length} points; ${ends.join(', ')}`)
    }
  } finally {
    sites.close()
  }
}

/** Without a journal the second run sends again, which the counters must show. */
async function control() {
  const sites = await realSites(controls + 1, '--fault', 'configure=delay:3s')
  let found = 0
  try {
    const send = (
      await pointsOf(await placeIn(join(folder, 'control'), 'file', sites.urls[controls]))
    ).indexOf('before send')
    const all = Array.from({ length: controls }, (_, at) => at)
    await inTurns(all, async at => {
      const place = await placeIn(join(folder, `control-${at}`), 'file', sites.urls[at])
      const forget = () => rmSync(join(dirname(place.file), '.landform'), { recursive: true })
      const { violations: broken } = await killed(place, sites, { at: send, afterMs: 100, forget })
      if (broken.length > 0) found += 1
    })
  } finally {
    sites.close()
  }
  if (found < controls * 0.9) violation('the control was found out too seldom, so these kills show little')
  say(`control: ${found} of ${controls} runs that lost their state were found out`)
}

async function inTurns(items, work) {
  const rest = [...items]
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
