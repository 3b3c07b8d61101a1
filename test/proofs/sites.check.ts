import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { fleetDocument } from '../../src/report/fleet.js'
import { aFleet, type FaultySite, type Fleet, faultySites } from '../support/a-fleet.js'
import { landformProgram } from '../support/landform-program.js'
import { someSecrets } from '../support/some-secrets.js'
import { type CheckRun, declareCheck } from './check.js'

const mostMegabytes = 300

/**
 * Applies to many sites of one emulator, twenty of which are faulty in different ways, with the program as users have it, and
 * compares every outcome with the counters of the emulator. One more is faulty, and is expected to be sound: that has to be
 * found out.
 */
export const check = declareCheck({
  name: 'sites',
  shows: 'A faulty site never affects another one in the same run.',
  counts: { sites: [40, 100], 'planted faults found': [3, 3] },
  planted: 'planted faults found',
  short: 'test',
  gate: 'change',
  figures: { sites: [40, 100], concurrency: [8, 8] },
  async run(run) {
    const { sites, concurrency } = run.figures
    const faults = faultsOf(sites)
    const fleet = await startFleet(faults)
    try {
      run.count('sites', sites)
      const trial: Trial = { run, concurrency, faults, fleet, plantedFound: new Set() }
      await applyTwice(trial)
      compareCounters(trial)
      run.count('planted faults found', trial.plantedFound.size)
    } finally {
      await fleet.emulator.close()
    }
  },
})

type Document = ReturnType<typeof fleetDocument>

/** Which site is faulty in which way; sites have numbers from 1. */
interface Faults {
  readonly numbers: readonly number[]
  /** The last one that is sound, but for a fault that nothing is expected of. */
  readonly planted: number | undefined
  at(site: number): FaultySite | undefined
}

interface Trial {
  readonly run: CheckRun
  readonly concurrency: number
  readonly faults: Faults
  readonly fleet: Fleet
  /** Each way in which the planted site was not as it is expected to be. */
  readonly plantedFound: Set<string>
}

interface Applied {
  readonly exitCode: number | null
  readonly document: Document
}

/** Spreads the faulty sites evenly. */
function faultsOf(sites: number): Faults {
  const step = Math.floor(sites / faultySites.length)
  const at = (site: number) => (site % step === 0 ? faultySites[site / step - 1] : undefined)
  const numbers = Array.from({ length: sites }, (_, index) => index + 1)
  return { numbers, planted: numbers.findLast(site => at(site) === undefined), at }
}

function startFleet({ numbers, planted, at }: Faults): Promise<Fleet> {
  const faulty = numbers.map(site => ({ site, ...at(site) }))
  return aFleet(numbers.length, {
    stageMs: 40,
    siteWords: [
      `${planted}:configure=drop-before`,
      ...faulty.flatMap(({ site, fault }) => (fault === undefined ? [] : [`${site}:${fault}`])),
    ],
    changes: new Map(
      faulty.flatMap(({ site, change }) => (change === undefined ? [] : [[site, change] as const])),
    ),
  })
}

function expectSame({ violation }: CheckRun, what: string, actual: unknown, wanted: unknown) {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return
  violation(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`)
}

function expectOf(trial: Trial, site: number, what: string, actual: unknown, wanted: unknown) {
  const { run, faults, plantedFound } = trial
  const named = `${faults.at(site)?.what ?? 'sound'}, ${what}`
  if (site !== faults.planted) expectSame(run, `site ${site}, ${named}`, actual, wanted)
  else if (JSON.stringify(actual) !== JSON.stringify(wanted)) plantedFound.add(named)
}

/** Two runs with the same command: the second leaves the sites alone that are done. */
async function applyTwice(trial: Trial) {
  for (const [at, name] of (['first', 'again'] as const).entries()) {
    const { document } = await applied(trial, name)
    for (const [index, { exitCode }] of document.sites.entries()) {
      const codes = trial.faults.at(index + 1)?.exitCodes ?? [0, 0]
      expectOf(trial, index + 1, `the exit code of the ${name} run`, exitCode, codes[at])
    }
  }
}

/** Compares what the emulator counted with what each site has to come to; none may be asked twice to configure. */
function compareCounters(trial: Trial) {
  const { run, faults, fleet } = trial
  for (const site of faults.numbers) {
    const { accepted } = fleet.counters(site).configure
    expectOf(trial, site, 'accepted configurations', accepted, faults.at(site)?.accepted ?? 1)
  }
  const configures = fleet.served.filter(({ operation }) => operation === 'configure').map(({ site }) => site)
  expectSame(
    run,
    'sites that were asked twice to configure',
    configures.filter((site, at) => configures.indexOf(site) !== at),
    [],
  )
}

/** One run of the program, with its peak of memory and of sites that are worked on at once. */
async function applied({ run, concurrency, fleet }: Trial, name: string): Promise<Applied> {
  const from = fleet.served.length
  const startedMs = performance.now()
  const report = join(fleet.folder, 'report.json')
  const wait = ['--timeout', '10s', '--poll-interval', '200ms', '--concurrency', String(concurrency)]
  const words = ['apply', fleet.folder, '--yes', '--quiet', ...wait, '--format', `json=${report}`]
  const { exitCode, megabytes } = await measuredEnd(words)
  const document: Document = JSON.parse(readFileSync(report, 'utf8'))
  const atOnce = peakOf(fleet.served.slice(from))
  const { done, notDone, notBegun } = document.summary
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  run.say(
    `${name}: exit code ${exitCode}; ${done} done, ${notDone} not done, ${notBegun} not begun; ${seconds} s, peak ${Math.round(megabytes)} MB, ${atOnce} sites at once`,
  )
  expectSame(run, `${name}: the exit code of the document`, document.exitCode, exitCode)
  expectSame(run, `${name}: memory in its budget`, megabytes < mostMegabytes, true)
  expectSame(run, `${name}: concurrency in its limit`, atOnce <= concurrency, true)
  return { exitCode, document }
}

/** Runs the program, and reads from time to time how much memory it has needed. */
async function measuredEnd(words: readonly string[]) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [landformProgram, ...words], {
    env: { PATH, ...someSecrets },
    stdio: 'ignore',
  })
  let megabytes = 0
  const measuring = setInterval(() => {
    megabytes = Math.max(megabytes, peakMegabytesOf(child.pid))
  }, 20)
  await once(child, 'exit')
  clearInterval(measuring)
  return { exitCode: child.exitCode, megabytes }
}

function peakMegabytesOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    // It has ended.
    return 0
  }
}

/** Counts the sites that are between their first and their last request after planning, at most. */
function peakOf(served: Fleet['served']): number {
  const spans = new Map<number, { readonly from: number; to: number }>()
  for (const { site, operation, at } of served) {
    const span = spans.get(site)
    if (span !== undefined) span.to = at
    else if (operation === 'configure') spans.set(site, { from: at, to: at })
  }
  const edges = [...spans.values()].flatMap(({ from, to }) => [
    { at: from, change: 1 },
    { at: to, change: -1 },
  ])
  let [now, most] = [0, 0]
  for (const { change } of edges.sort((a, b) => a.at - b.at || a.change - b.change)) {
    now += change
    most = Math.max(most, now)
  }
  return most
}
