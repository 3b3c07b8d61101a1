import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { type CheckRun, declareCheck } from './check.js'
import { figuresOf } from './fleet-sim/figures.js'
import { playFleet } from './fleet-sim/fleet-play.js'
import { complaints } from './fleet-sim/judge.js'
import { fleetScalePage } from './fleet-sim/page.js'
import { scenarios } from './fleet-sim/scenarios.js'
import { mistakes } from './fleet-sim/setting.js'
import { smallFleet } from './fleet-sim/small-fleet.js'

const pageName = 'docs/fleet-scale.md'
/** The size of the fleets that the page tells of. */
const sitesOfPage = 10_000

/**
 * Plays fleets of ten thousand sites in virtual time and judges their courses: queues, waves, limits, workers that die, and
 * what a database grows to. The page of the figures has to be what the full form plays. Engines with a mistake have to be
 * found out.
 */
export const check = declareCheck({
  name: 'fleet-sim',
  shows:
    'Fleets of ten thousand sites, simulated in virtual time, keep their limits and order and lose no site, whichever workers die.',
  counts: { 'small fleets': [20, 400], 'sites played': [7000, 70_000], 'mistakes found': [7, 7] },
  planted: 'mistakes found',
  short: 'ci',
  gate: 'change',
  figures: {
    sites: [1000, sitesOfPage],
    /** How many small fleets. */
    seeds: [20, 400],
    /** Writes the page. */
    page: [false, false],
  },
  async run(run) {
    const { sites, seeds, page } = run.figures
    playSmallFleets(run, seeds)
    findMistakes(run)
    const made = fleetScalePage(sites, playScenarios(run, sites))
    if (page) writePage(run, sites, made)
    else if (!run.isShort && sites === sitesOfPage && readFileSync(join(root, pageName), 'utf8') !== made)
      run.violation(`${pageName} is not what was played: npm run verify -- fleet-sim --full --page`)
  },
})

function playSmallFleets({ again, complain, count, seed }: CheckRun, seeds: number) {
  for (let one = seed; one < seed + seeds; one += 1) {
    const setting = smallFleet(one)
    complain(again('--seed', `${one}`, '--seeds', '1'), complaints(playFleet(setting), setting))
    count('small fleets')
  }
}

/** Plays fleets with engines that are wrong, each of which must be complained of. */
function findMistakes({ count, seed, violation }: CheckRun) {
  for (const mistake of mistakes) {
    const isFound = Array.from({ length: 20 }, (_, at) => ({ ...smallFleet(seed + at), mistake })).some(
      setting => complaints(playFleet(setting), setting).length > 0,
    )
    if (isFound) count('mistakes found')
    else violation(`an engine that ${mistake} has to be found out, and is not`)
  }
}

function playScenarios({ complain, count, say }: CheckRun, sites: number) {
  return scenarios(sites).map(({ what, setting }) => {
    const begin = performance.now()
    const runs = playFleet(setting)
    complain(`a fleet ${what}`, complaints(runs, setting))
    count('sites played', runs.length)
    say(`a fleet ${what}: ${runs.length} runs in ${Math.round(performance.now() - begin)} ms`)
    return { what, figures: figuresOf(runs) }
  })
}

function writePage({ violation }: CheckRun, sites: number, text: string) {
  if (sites === sitesOfPage) writeFileSync(join(root, pageName), text)
  else violation(`${pageName} tells of ${sitesOfPage} sites, not of ${sites}: use --full --page`)
}
