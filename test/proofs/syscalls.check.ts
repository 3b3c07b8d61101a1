import { join } from 'node:path'
import { inTurns } from '../support/in-turns.js'
import { type CheckRun, declareCheck } from './check.js'
import { newTally } from './processes/parts.js'
import { type RealSites, realSites } from './processes/real-site.js'
import { randomFrom } from './sim/interleave.js'
import { noDisk, onFullDisk, smallDisks } from './syscalls/full-disk.js'
import { isTornWhenNaive, killWriters } from './syscalls/kill-loop.js'
import { callsOf, chosenOf, type Point, pointsAt, swept, type Trial } from './syscalls/sweep.js'
import { noStrace } from './syscalls/traced.js'
import { applyTrial, writerTrial } from './syscalls/trials.js'

/** `--only` selects a call that is made to fail, such as "a writer fsync error=EIO 2". */
const figures = {
  writer: [24, 1000],
  apply: [10, 500],
  kills: [40, 2000],
  controls: [10, 100],
  disks: [3, 40],
  only: ['', ''],
} as const

/**
 * Makes the system calls on the state fail one by one, or kills the process in them: those of a writer of versions, and those
 * of `landform apply`. Kills writers while they write, with a naive one as the control, and fills a disk.
 */
export const check = declareCheck({
  name: 'syscalls',
  shows:
    'Whichever system call on the state fails, or is the last before a kill, the state is the old or the new one, and the exit code is correct.',
  counts: {
    'injections into a writer': [20, 300],
    'injections into landform apply': [10, 400],
    'kills of writers': [40, 2000],
    'torn files of the control': [3, 30],
    'full disks': [2, 10],
  },
  short: 'ci',
  figures,
  async run(run) {
    const ground: SyscallFixture = { run, folder: run.scratchFolder(), random: randomFrom(run.seed) }
    await sweepAll(ground)
    if (run.figures.only !== '') return
    await killAll(ground)
    await tearControls(ground)
    await fillDisks(ground)
  },
})

interface SyscallFixture {
  readonly run: CheckRun<typeof figures>
  readonly folder: string
  readonly random: () => number
}

const atOnce = 4
const mostCounts = 8
const killsOfLoop = 20

async function sweepAll(ground: SyscallFixture) {
  const { run, folder } = ground
  const missing = noStrace()
  if (missing !== undefined)
    return run.skip(
      `${missing}: no system call was made to fail`,
      'injections into a writer',
      'injections into landform apply',
    )
  const { writer, apply } = run.figures
  await sweep(ground, { who: 'a writer', count: writer, fresh: () => writerTrial(folder) })
  const pool = siteAfterSite()
  const fresh = async () => applyTrial(folder, ...(await pool.next()))
  await sweep(ground, { who: 'landform apply', count: apply, fresh })
  pool.close()
}

interface Sweep {
  readonly who: string
  readonly count: number
  fresh(): Promise<Trial>
}

/** Makes each kind of call end in each way, and some more calls. */
async function sweep({ run, folder, random }: SyscallFixture, { who, count, fresh }: Sweep) {
  const { only } = run.figures
  const calls = await callsOf(await fresh(), join(folder, 'trace'))
  const chosen = chosenOf(pointsAt(calls), count, random)
  const points = only === '' ? chosen : pointsAt(calls).filter(point => nameOf(who, point) === only)
  const hits: Record<string, number> = {}
  const missed: string[] = []
  await inTurns(points, atOnce, async (point, turn) => {
    const file = join(folder, `trace-${turn}`)
    const { hit, violations } = await sweptWherever(fresh, point, file)
    const name = nameOf(who, point)
    if (hit === undefined) missed.push(name)
    else hits[point.name] = (hits[point.name] ?? 0) + 1
    run.report(`${name}: ${hit} (${run.again('--only', name)})`, violations)
  })
  const all = Object.values(hits).reduce((sum, one) => sum + one, 0)
  run.count(`injections into ${who}`, all)
  const untouched = [...new Set(points.map(({ name }) => name))].filter(name => hits[name] === undefined)
  run.report(
    who,
    untouched.map(name => `${name} was never made to fail`),
  )
  const kinds = Object.entries(hits).map(([name, times]) => `${times} ${name}`)
  run.say(
    `${who}: ${calls.length} calls on its state; ${all} made to fail or the last (${kinds.join(', ')}), ${missed.length} not met`,
  )
  for (const name of missed) run.say(`  not met: ${name}`)
}

/**
 * Retries a call that was not met. The numbers of calls vary between runs, more on a busy machine, so it counts calls of this
 * kind again, traced as when one is made to fail.
 */
async function sweptWherever(fresh: () => Promise<Trial>, point: Point, file: string) {
  for (let count = 0; count < mostCounts; count += 1) {
    const again = count === 0 ? [point] : pointsAt(await callsOf(await fresh(), file, point.name))
    const met = again.find(({ name, end }) => name === point.name && end === point.end) ?? point
    const result = await swept(fresh, met, file)
    if (result.hit !== undefined) return result
  }
  return { hit: undefined, violations: [] }
}

/** Kills the writers of one folder twenty times, then those of the next. */
async function killAll({ run, folder, random }: SyscallFixture) {
  const { kills } = run.figures
  const loops = Array.from({ length: Math.ceil(kills / killsOfLoop) }, () =>
    Array.from({ length: killsOfLoop }, random),
  )
  let versions = 0
  let torn = 0
  await inTurns(loops, atOnce, async moments => {
    const loop = await killWriters(folder, moments)
    versions += loop.versions
    torn += loop.violations.length
    run.count('kills of writers', moments.length)
    run.report('a writer that was killed', loop.violations)
  })
  run.say(`writers: ${kills} kills, ${versions} versions, ${torn} violations`)
}

async function tearControls({ run, folder, random }: SyscallFixture) {
  const { controls } = run.figures
  let torn = 0
  await inTurns(Array.from({ length: controls }, random), atOnce, async moment => {
    if (await isTornWhenNaive(folder, moment)) torn += 1
  })
  run.count('torn files of the control', torn)
  if (torn < controls * 0.3)
    run.violation(`the control was torn by ${torn} of ${controls} kills, so these kills show little`)
  run.say(`the control was torn by ${torn} of ${controls} kills`)
}

async function fillDisks({ run, folder }: SyscallFixture) {
  const missing = noDisk(folder)
  if (missing !== undefined) return run.skip(`${missing}: no disk was full`, 'full disks')
  const { disks } = run.figures
  const sites = await realSites(disks)
  const ends = newTally()
  let full = 0
  for (const [at, disk] of smallDisks(disks).entries()) {
    const { isFull, codes, violations } = await onFullDisk(folder, sites, sites.urls[at] ?? '', disk)
    if (isFull) full += 1
    ends.add(codes.join(' '))
    run.report(`a disk with ${disk}`, violations)
  }
  sites.close()
  run.count('full disks', full)
  run.say(`${disks} small disks, ${full} of them full at some moment: ${ends.format()}`)
}

type Site = readonly [sites: RealSites, url: string]

/** Hands out new sites. An emulator has only a few, because it reports all of them at once. */
function siteAfterSite() {
  const opened: RealSites[] = []
  let before: Promise<readonly Site[]> = Promise.resolve([])
  const left = async (sites: readonly Site[]): Promise<readonly Site[]> => {
    if (sites.length > 0) return sites
    const fresh = await realSites(50)
    opened.push(fresh)
    return fresh.urls.map(url => [fresh, url] as const)
  }
  return {
    async next(): Promise<Site> {
      before = before.then(sites => left(sites.slice(1)))
      const [site] = await before
      if (site === undefined) throw new Error('an emulator has no site')
      return site
    },
    close() {
      for (const sites of opened) sites.close()
    },
  }
}

function nameOf(who: string, { name, when, end }: Point): string {
  return `${who} ${name} ${end} ${when}`
}
