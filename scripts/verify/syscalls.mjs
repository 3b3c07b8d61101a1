// Makes the system calls on the state fail, one by one, and ends the process in them: those of a writer of versions, and
// those of `landform apply`. Kills writers while they write, with one that writes as many programs do as the control, and
// fills a disk.
import { join } from 'node:path'
import { realSites } from '../../dist/test/proofs/processes/real-site.js'
import { randomFrom } from '../../dist/test/proofs/sim/interleave.js'
import { noDisk, onFullDisk, smallDisks } from '../../dist/test/proofs/syscalls/full-disk.js'
import { isTornWhenNaive, writersKilled } from '../../dist/test/proofs/syscalls/kill-loop.js'
import { callsOf, chosenOf, pointsAt, swept } from '../../dist/test/proofs/syscalls/sweep.js'
import { noStrace } from '../../dist/test/proofs/syscalls/traced.js'
import { applyTrial, writerTrial } from '../../dist/test/proofs/syscalls/trials.js'
import { inTurns } from '../../dist/test/support/in-turns.js'
import { complain, conclude, count, figures, say, scratchFolder, skip, violation } from './check.mjs'

const { writer, apply, kills, controls, disks, seed, only } = figures({
  writer: [24, 1000],
  apply: [10, 500],
  kills: [40, 2000],
  controls: [10, 100],
  disks: [3, 40],
  only: ['', ''],
})
const atOnce = 4
const folder = scratchFolder()
const random = randomFrom(seed)

const missing = noStrace()
if (missing !== undefined)
  skip(
    `${missing}: no system call was made to fail`,
    'injections into a writer',
    'injections into landform apply',
  )
else {
  await sweep('a writer', writer, () => writerTrial(folder))
  const pool = siteAfterSite()
  await sweep('landform apply', apply, async () => applyTrial(folder, ...(await pool.next())))
  pool.close()
}
if (only === '') {
  await killAll()
  await fillDisks()
}
conclude()

/** Each kind of call with each end, and as many more as are wanted. */
async function sweep(who, most, fresh) {
  const calls = await callsOf(await fresh(), join(folder, 'trace'))
  const chosen = chosenOf(pointsAt(calls), most, random)
  const points = only === '' ? chosen : chosen.filter(point => nameOf(who, point) === only)
  const hits = {}
  let missed = 0
  await inTurns(points, atOnce, async (point, turn) => {
    const { hit, violations } = await swept(fresh, point, join(folder, `trace-${turn}`))
    if (hit === undefined) missed += 1
    else hits[point.name] = (hits[point.name] ?? 0) + 1
    const again = `npm run verify:syscalls -- --seed ${seed} --only '${nameOf(who, point)}'`
    complain(`${nameOf(who, point)}: ${hit} (${again})`, violations)
  })
  const all = Object.values(hits).reduce((sum, one) => sum + one, 0)
  count(`injections into ${who}`, all)
  const untouched = [...new Set(points.map(({ name }) => name))].filter(name => hits[name] === undefined)
  complain(
    who,
    untouched.map(name => `${name} was never made to fail`),
  )
  const kinds = Object.entries(hits).map(([name, times]) => `${times} ${name}`)
  say(
    `${who}: ${calls.length} calls on its state; ${all} made to fail or the last (${kinds.join(', ')}), ${missed} not met`,
  )
}

/** Twenty kills in one folder, then another. */
async function killAll() {
  const loops = Array.from({ length: Math.ceil(kills / 20) }, () => Array.from({ length: 20 }, random))
  let versions = 0
  await inTurns(loops, atOnce, async moments => {
    const loop = await writersKilled(folder, moments)
    versions += loop.versions
    count('kills of writers', moments.length)
    complain('a writer that was killed', loop.violations)
  })
  let torn = 0
  await inTurns(Array.from({ length: controls }, random), atOnce, async moment => {
    if (await isTornWhenNaive(folder, moment)) torn += 1
  })
  count('torn files of the control', torn)
  if (torn < controls * 0.3)
    violation(`the control was torn by ${torn} of ${controls} kills, so these kills show little`)
  say(
    `writers: ${kills} kills, ${versions} versions, none torn; the control was torn by ${torn} of ${controls}`,
  )
}

async function fillDisks() {
  const missing = noDisk(folder)
  if (missing !== undefined) {
    skip(`${missing}: no disk was full`, 'full disks')
    return
  }
  const sites = await realSites(disks)
  const ends = {}
  let full = 0
  for (const [at, disk] of smallDisks(disks).entries()) {
    const { isFull, codes, violations } = await onFullDisk(folder, sites, sites.urls[at], disk)
    if (isFull) full += 1
    ends[codes.join(' ')] = (ends[codes.join(' ')] ?? 0) + 1
    complain(`a disk with ${disk}`, violations)
  }
  sites.close()
  count('full disks', full)
  const all = Object.entries(ends).map(([codes, times]) => `${times} x ${codes}`)
  say(`${disks} small disks, ${full} of them full at some moment: ${all.join(', ')}`)
}

/** One fresh site after the other; few of them at one emulator, which tells of all at once. */
function siteAfterSite() {
  const opened = []
  let before = Promise.resolve([])
  const taken = async urls => {
    if (urls.length > 0) return urls
    opened.push(await realSites(50))
    return [...opened.at(-1).urls]
  }
  return {
    async next() {
      before = before.then(urls => taken(urls.slice(1)))
      const [url] = await before
      return [opened.find(({ urls }) => urls.includes(url)), url]
    },
    close() {
      for (const sites of opened) sites.close()
    },
  }
}

function nameOf(who, { name, when, end }) {
  return `${who} ${name} ${end} ${when}`
}
