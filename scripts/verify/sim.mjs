// Plays the executor in one process against a site, a network, a disk and a clock that are made up, with everything going
// wrong that can: each fault at each effect, any two of them, a sample of three, and processes at once whose effects take turns
// by a seed. `npm run verify:sim [-- --short]`; `--every N` plays each Nth pair, `--triples N` so many courses with three faults,
// `--seeds N` so many seeds. What went wrong is printed with the command that repeats it: `--seed N --seeds 1 --log`, or
// `--course JSON`. `--cases` lists mistakes of the past, and `--case NAME` plays one.
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { caseComplaints, cases } from '../../dist/test/proofs/sim/cases.js'
import { allSettings } from '../../dist/test/proofs/sim/enumerate.js'
import { interleaved } from '../../dist/test/proofs/sim/interleave.js'
import { controls } from '../../dist/test/proofs/sim/killer.js'
import { course } from '../../dist/test/proofs/sim/scenario.js'
import { settingOf } from '../../dist/test/proofs/sim/tasks.js'
import { complain, conclude, count, figures, say } from './check.mjs'

const wanted = figures({
  every: [200, 2],
  triples: [400, 20_000],
  seeds: [300, 100_000],
  log: [false, false],
  course: ['', ''],
  case: ['', ''],
  cases: [false, false],
})
const { every, triples, seeds, seed, isShort } = wanted
const threads = availableParallelism()
/** Kept for all that is played: a thread is slow until it has compiled what it runs. */
const workers = []

if (wanted.cases) for (const { name, says } of cases) say(`${name.padEnd(28)} ${says}`)
else if (wanted.case !== '') await playCase(wanted.case)
else if (wanted.course !== '') show(wanted.course, await course(JSON.parse(wanted.course)))
else if (wanted.log)
  for (let one = seed; one < seed + seeds; one += 1)
    show(`seed ${one}`, await interleaved(one, settingOf(one)))
else await playAll()
conclude()

async function playAll() {
  for (let thread = 0; thread < threads; thread += 1)
    workers.push(new Worker(new URL('../../dist/test/proofs/sim/worker.js', import.meta.url)))
  for (const { name, found } of await controls())
    if (found) count('mistakes found')
    else complain(name, ['this mistake has to be found, and is not'])
  for (const { name } of cases) await playCase(name, true)
  await play('the disk', [{ kind: 'recipe', pairs: isShort ? 'no' : 'all' }])
  for (const [setting, what] of allSettings.entries()) {
    // With a disk an apply has four times as many effects.
    const [everySingle, everyPair] = what.disk ? [isShort ? 10 : 1, every * 10] : [isShort ? 2 : 1, every]
    const of = isShort ? threads : threads * 8
    const parts = Array.from({ length: of }, (_, part) => ({
      kind: 'pairs',
      setting,
      part,
      of,
      everySingle,
      everyPair,
    }))
    await play(JSON.stringify(what), parts)
  }
  await play('three faults', inPieces('triples', triples))
  await play('processes at once', inPieces('at-once', seeds))
  for (const worker of workers) await worker.terminate()
}

/** So that each thread has something to do until the end. */
function inPieces(kind, all) {
  const piece = Math.min(1000, Math.ceil(all / threads))
  const tasks = []
  for (let done = 0; done < all; done += piece)
    tasks.push({ kind, from: seed + done, count: Math.min(piece, all - done) })
  return tasks
}

/** Does tasks in as many threads as there are cores, and says what came of them. */
async function play(what, tasks) {
  const begin = performance.now()
  const totals = {}
  const ends = {}
  const left = [...tasks]
  const work = async worker => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      worker.postMessage(task)
      // To remove all listeners would take those of Node away, too, and no answer would come any more.
      const [report] = await once(worker, 'message')
      for (const [name, more] of Object.entries(report.counts)) {
        totals[name] = (totals[name] ?? 0) + more
        if (name !== 'runs' && name !== 'effects') count(name, more)
      }
      for (const [code, more] of Object.entries(report.ends)) ends[code] = (ends[code] ?? 0) + more
      for (const { what: again, violations } of report.found) complain(again, violations)
    }
  }
  await Promise.all(workers.map(work))
  const seconds = (performance.now() - begin) / 1000
  const counted = Object.entries(totals).map(([name, number]) => `${number} ${name}`)
  const last = Object.entries(ends).map(([code, times]) => `${times} with ${code}`)
  say(
    `${what}: ${counted.join(', ')}${last.length > 0 ? `; the last run ended ${last.join(', ')}` : ''}; ${seconds.toFixed(1)} s`,
  )
}

async function playCase(name, isQuiet = false) {
  const one = cases.find(other => other.name === name)
  if (one === undefined) return complain(name, ['there is no such case: see --cases'])
  count('cases')
  const { course: seen, complaints } = await caseComplaints(one)
  if (!isQuiet) show(one.says, seen)
  complain(`npm run verify:sim -- --case ${name}`, complaints)
}

/** The log of one course, for people. */
function show(what, { log, violations }) {
  say(what)
  for (const line of log()) say(line.trimEnd())
  complain(what, violations)
}
