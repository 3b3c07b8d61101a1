import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type CheckRun, declareCheck, type Figures } from './check.js'
import { cases, caseViolations } from './sim/cases.js'
import { bentApplies, isWallClockFound } from './sim/clocks.js'
import { allSettings } from './sim/enumerate.js'
import { interleaved } from './sim/interleave.js'
import { portMutants, quickControls } from './sim/killer.js'
import { type Course, course, type Scenario, type Setting } from './sim/scenario.js'
import { nameOf, situations } from './sim/situation-table.js'
import { resumed, stuckPrograms } from './sim/situations.js'
import { type Report, settingOf, type Task } from './sim/tasks.js'

const figures = {
  /** One in this many pairs of faults is played. */
  every: [200, 2],
  /** The number of courses with three faults. */
  triples: [400, 20_000],
  /** The number of seeds for concurrent processes. */
  seeds: [300, 100_000],
  /** Prints the log of each seed, and plays only those. */
  log: [false, false],
  /** The only course to play, in JSON. */
  course: ['', ''],
  /** The name of the only past mistake to play. */
  case: ['', ''],
  /** A clock is bent at one in this many effects. */
  clocks: [12, 1],
  /** One in this many situations is followed. */
  situations: [99, 1],
  /** The name of the only situation to follow, such as "unknown / not-configured / dead". */
  situation: ['', ''],
} as const satisfies Figures

/**
 * Plays the executor in one process with a simulated site, network, disk and clock: each fault at each effect, pairs of faults,
 * a sample of triples, and concurrent processes whose effects are interleaved by a seed. Bends clocks at each effect. In each
 * situation that an earlier run may have left, it starts one more apply, and runs the commands that are printed. A violation is
 * printed with the command that repeats it: `--seed N --seeds 1 --log`, `--course JSON`, `--case NAME` or `--situation NAME`.
 * Wrong designs must be found.
 */
export const check = declareCheck({
  name: 'sim',
  shows:
    'Whichever effect of an apply fails, once, twice, or for several runs at once, every guarantee holds, even after a power loss or with a wrong clock. Wherever the run ended, the printed commands complete the site.',
  counts: {
    'simulated runs': [700, 60_000],
    'simulated runs with three faults': [200, 20_000],
    seeds: [200, 100_000],
    'losses of the disk': [150, 20_000],
    cases: [8, 8],
    'bent clocks': [25, 200],
    situations: [7, 700],
    'mistakes found': [7, 29],
  },
  short: 'ci',
  figures,
  async run(run) {
    const { figures: asked } = run
    if (asked.case !== '') await showCase(run, asked.case)
    else if (asked.course !== '') await showCourse(run, asked.course)
    else if (asked.log) await showSeeds(run)
    else if (asked.situation !== '') await followSituations(run)
    else await playAll(run)
  },
})

type Run = CheckRun<typeof figures>

const threads = availableParallelism()

async function showCase(run: Run, name: string): Promise<void> {
  const played = await playCase(run, name)
  if (played !== undefined) show(run, played.says, played.course)
}

async function showCourse(run: Run, json: string): Promise<void> {
  const scenario: Scenario = JSON.parse(json)
  show(run, json, await course(scenario))
  run.count('simulated runs')
}

async function showSeeds(run: Run): Promise<void> {
  const { seed } = run
  for (let one = seed; one < seed + run.figures.seeds; one += 1) {
    show(run, `seed ${one}`, await interleaved(one, settingOf(one)))
    run.count('seeds')
  }
}

function show({ say, report }: Run, what: string, { log, violations }: Course): void {
  say(what)
  for (const line of log()) say(line.trimEnd())
  report(what, violations)
}

async function playAll(run: Run): Promise<void> {
  const { figures: asked, isShort } = run
  // Kept for all tasks, because a thread is slow until it has compiled its code.
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL('./sim/worker.js', import.meta.url)),
  )
  try {
    await findControls(run)
    for (const { name } of cases) await playCase(run, name)
    await play(run, workers, 'the disk', [{ kind: 'recipe', pairs: isShort ? 'no' : 'all' }])
    for (const [at, setting] of allSettings.entries())
      await play(run, workers, JSON.stringify(setting), partsOf(run, at, setting))
    await play(run, workers, 'three faults', inPieces(run, 'triples', asked.triples))
    await play(run, workers, 'processes at once', inPieces(run, 'at-once', asked.seeds))
    await bendClocks(run)
    await followSituations(run)
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()))
  }
}

/** Tests that each way of playing finds its mistake, and in the full form that every wrong design is found. */
async function findControls({ count, report, isShort }: Run): Promise<void> {
  const designs = Object.entries(portMutants).map(
    ([name, find]) => [name, async () => (await find()) !== undefined] as const,
  )
  const all = [...Object.entries(quickControls), ...(isShort ? [] : designs)]
  for (const [name, isFound] of [
    ...all,
    ['a wait that is measured with the wall clock', isWallClockFound] as const,
  ])
    if (await isFound()) count('mistakes found')
    else report(name, ['this mistake was not found'])
}

async function bendClocks({ report, count, figures: { clocks }, seed }: Run): Promise<void> {
  for await (const { what, violations } of bentApplies(clocks, seed)) {
    report(what, violations)
    count('bent clocks')
  }
}

/** Starts one more apply in each situation, and then runs each printed command verbatim. */
async function followSituations({ again, report, count, figures: asked, say, seed }: Run): Promise<void> {
  const every = asked.situations
  const chosen = situations.filter((one, at) =>
    asked.situation === '' ? at % every === seed % every : nameOf(one) === asked.situation,
  )
  let commands = 0
  for (const situation of chosen) {
    const name = nameOf(situation)
    const { steps, violations } = await resumed(situation)
    report(`${name} (${again('--situation', name)})`, violations)
    count('situations')
    commands += steps.length
  }
  say(`${chosen.length} situations, followed by ${commands} commands`)
  if (asked.situation !== '') return
  const { missed, found } = await stuckPrograms()
  count('mistakes found', found)
  report('a program that leaves a site stuck', missed)
}

async function playCase({ again, report, count }: Run, name: string) {
  const one = cases.find(other => other.name === name)
  if (one === undefined) {
    report(name, ['there is no such case'])
    return undefined
  }
  count('cases')
  const played = await caseViolations(one)
  report(again('--case', name), played.violations)
  return { says: one.says, course: played.course }
}

/** Splits a setting into parts. With a disk, an apply has four times as many effects. */
function partsOf({ figures: { every }, isShort }: Run, setting: number, { disk }: Setting): readonly Task[] {
  const [everySingle, everyPair] = disk ? [isShort ? 10 : 1, every * 10] : [isShort ? 2 : 1, every]
  const of = isShort ? threads : threads * 8
  return Array.from({ length: of }, (_, part) => ({
    kind: 'pairs',
    setting,
    part,
    of,
    everySingle,
    everyPair,
  }))
}

/** Splits seeds into pieces that keep every thread busy until the end. */
function inPieces({ seed }: Run, kind: 'triples' | 'at-once', all: number): readonly Task[] {
  const piece = Math.min(1000, Math.ceil(all / threads))
  const tasks: Task[] = []
  for (let done = 0; done < all; done += piece)
    tasks.push({ kind, from: seed + done, count: Math.min(piece, all - done) })
  return tasks
}

/** Performs tasks in as many threads as there are cores, and prints the results. */
async function play(
  { report, count, say }: Run,
  workers: readonly Worker[],
  what: string,
  tasks: readonly Task[],
): Promise<void> {
  const begin = performance.now()
  const totals = new Map<string, number>()
  const ends = new Map<string, number>()
  const left = tasks.values()
  const work = async (worker: Worker) => {
    for (const task of left) {
      const done = await reportOf(worker, task)
      for (const [name, more] of Object.entries(done.counts)) {
        add(totals, name, more)
        if (name !== 'runs' && name !== 'effects') count(name, more)
      }
      for (const [code, more] of Object.entries(done.ends)) add(ends, code, more)
      for (const { what: again, violations } of done.found) report(again, violations)
    }
  }
  await Promise.all(workers.map(work))
  const seconds = (performance.now() - begin) / 1000
  const counted = [...totals].map(([name, number]) => `${number} ${name}`)
  const last = [...ends].map(([code, times]) => `${times} with ${code}`)
  say(
    `${what}: ${counted.join(', ')}${last.length > 0 ? `; the last run ended ${last.join(', ')}` : ''}; ${seconds.toFixed(1)} s`,
  )
}

async function reportOf(worker: Worker, task: Task): Promise<Report> {
  worker.postMessage(task)
  // Removing all listeners would remove those of Node as well.
  const [report] = await once(worker, 'message')
  return report
}

function add(tally: Map<string, number>, what: string, more: number): void {
  tally.set(what, (tally.get(what) ?? 0) + more)
}
