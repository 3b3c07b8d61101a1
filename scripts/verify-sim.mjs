// Plays the executor in one process against a site, a state and a clock that are made up, with everything going wrong that
// can: each fault at each effect, any two of them, and processes at once whose effects take turns by a seed. Then makes
// the mistakes that others make, and looks whether they are found. `npm run verify:sim [-- EVERY SEEDS SEED]` plays every
// EVERYth of the courses with two faults (1) and SEEDS courses at once (20000); ends with 1 when anything is not as it
// should be. `npm run verify:mutants` only looks for the mistakes.
import { enumerate, settings } from '../dist/test/proofs/sim/enumerate.js'
import { interleaved } from '../dist/test/proofs/sim/interleave.js'
import { killer } from '../dist/test/proofs/sim/killer.js'
import { mutants } from '../dist/test/proofs/sim/mutants.js'
import { complain, conclude, say } from './violations.mjs'

const isOnlyMutants = process.argv[2] === 'mutants'
const [every = 1, seeds = 20_000, seed = Date.now() % 2 ** 31] = process.argv
  .slice(isOnlyMutants ? 3 : 2)
  .map(Number)

if (!isOnlyMutants) {
  for (const setting of settings) await playAll(setting)
  await playAtOnce()
}
await findMutants()
conclude()

async function playAll(setting) {
  const ends = {}
  let courses = 0
  let runs = 0
  for await (const { scenario, course } of enumerate(setting, count => count % every === 0)) {
    courses += 1
    runs += course.runs.length
    const code = course.runs.at(-1)?.exitCode
    ends[code] = (ends[code] ?? 0) + 1
    complain(JSON.stringify(scenario), course.violations)
  }
  const last = Object.entries(ends).map(([code, count]) => `${count} with ${code}`)
  say(`${JSON.stringify(setting)}: ${courses} courses of ${runs} runs; the last ended ${last.join(', ')}`)
}

/** Each seed twice: the same one has to bring the same. */
async function playAtOnce() {
  let effects = 0
  for (let one = seed; one < seed + seeds; one += 1) {
    const setting = settings[one % settings.length]
    const course = await interleaved(one, setting)
    effects += course.trace.length
    complain(`seed ${one}`, course.violations)
    if (one % 10 === 0 && JSON.stringify(await interleaved(one, setting)) !== JSON.stringify(course))
      complain(`seed ${one}`, ['I8: the same seed brought something else'])
  }
  say(`${seeds} courses of 2 or 3 processes at once from seed ${seed}, ${effects} effects; each tenth twice`)
}

async function findMutants() {
  let found = 0
  for (const [name, mutant] of Object.entries(mutants)) {
    const by = await killer(mutant)
    if (by === undefined) complain(name, ['nothing finds this mistake'])
    else {
      found += 1
      say(`found after ${by.courses} courses: ${name}: ${by.violation}`)
    }
  }
  say(`${found} of ${Object.keys(mutants).length} mistakes found`)
}
