// Plays fleets of ten thousand sites in virtual time, judges their courses, and makes docs/fleet-scale.md of the figures: queues,
// waves, limits, workers that die, and what a database grows to. The page has to be what the full form plays. Engines with a mistake
// have to be found out. `npm run verify:fleet-sim [-- --short]`; `--sites N`, `--seeds N` of small fleets; `--write` writes the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { figuresOf } from '../../dist/test/proofs/fleet-sim/figures.js'
import { playFleet } from '../../dist/test/proofs/fleet-sim/fleet-play.js'
import { complaints } from '../../dist/test/proofs/fleet-sim/judge.js'
import { fleetScalePage } from '../../dist/test/proofs/fleet-sim/page.js'
import { scenarios } from '../../dist/test/proofs/fleet-sim/scenarios.js'
import { mistakes } from '../../dist/test/proofs/fleet-sim/setting.js'
import { smallFleet } from '../../dist/test/proofs/fleet-sim/small-fleet.js'
import { complain, conclude, count, figures, say, violation } from './check.mjs'

const page = 'docs/fleet-scale.md'
const { sites, seeds, seed, write, isShort } = figures({
  sites: [1000, 10_000],
  seeds: [20, 400],
  write: [false, false],
})

for (let one = seed; one < seed + seeds; one += 1) {
  const setting = smallFleet(one)
  complain(`--seed ${one} --seeds 1`, complaints(playFleet(setting), setting))
  count('small fleets')
}
for (const mistake of mistakes) {
  const isFound = Array.from({ length: 20 }, (_, at) => ({ ...smallFleet(seed + at), mistake })).some(
    setting => complaints(playFleet(setting), setting).length > 0,
  )
  if (isFound) count('mistakes found')
  else violation(`an engine that ${mistake} has to be found out, and is not`)
}
const played = scenarios(sites).map(({ what, setting }) => {
  const begin = performance.now()
  const runs = playFleet(setting)
  complain(`a fleet ${what}`, complaints(runs, setting))
  count('sites played', runs.length)
  say(`a fleet ${what}: ${runs.length} runs in ${Math.round(performance.now() - begin)} ms`)
  return { what, figures: figuresOf(runs) }
})
const made = fleetScalePage(sites, played)
if (write) writeFileSync(page, made)
else if (!isShort && sites === 10_000 && readFileSync(page, 'utf8') !== made)
  violation(`${page} is not what was played: npm run verify:fleet-sim -- --write`)
conclude()
