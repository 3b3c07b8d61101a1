// Plays the executor in one process against a site, a state and a clock that are made up, with everything going wrong that
// can: each fault at each effect, any two of them, and processes at once whose effects take turns by a seed. `npm run verify:sim
// [-- --short]`; `--every N` plays each Nth of the courses with two faults, `--seeds N` so many courses at once.
import { enumerate, settings } from '../../dist/test/proofs/sim/enumerate.js'
import { interleaved } from '../../dist/test/proofs/sim/interleave.js'
import { complain, conclude, count, figures, say } from './check.mjs'

const { every, seeds, seed } = figures({ every: [400, 1], seeds: [500, 20_000] })

for (const setting of settings) await playAll(setting)
await playAtOnce()
conclude()

async function playAll(setting) {
  const ends = {}
  let courses = 0
  let runs = 0
  for await (const { scenario, course } of enumerate(setting, number => number % every === 0)) {
    courses += 1
    runs += course.runs.length
    const code = course.runs.at(-1)?.exitCode
    ends[code] = (ends[code] ?? 0) + 1
    complain(JSON.stringify(scenario), course.violations)
  }
  count('courses', courses)
  const last = Object.entries(ends).map(([code, times]) => `${times} with ${code}`)
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
  count('seeds', seeds)
  say(`${seeds} courses of 2 or 3 processes at once from seed ${seed}, ${effects} effects; each tenth twice`)
}
