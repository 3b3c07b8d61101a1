import { isDeepStrictEqual } from 'node:util'
import type { ApplyOptions } from '../../../src/apply/ports.js'
import { fileBackend } from '../../../src/state/file-backend.js'
import type { Disk } from '../../../src/state/machine.js'
import type { StatePorts, StateStore } from '../../../src/state/ports.js'
import type { StateBackend, Version } from '../../../src/state/series.js'
import { stateStore } from '../../../src/state/state-store.js'
import { addingBy } from '../../support/some-state.js'
import type { Facts, RunFacts } from '../judge/facts.js'
import { findStuck, judge } from '../judge/judge.js'
import { readState } from '../judge/state.js'
import { type SimDisk, simDisk } from './disk.js'
import { desired, oneRun, type RunEnd, type RunPorts } from './one-run.js'
import { simBackend } from './sim-series.js'
import { type SimSite, simSite } from './sim-site.js'
import {
  type EffectKind,
  type Fault,
  type FaultAt,
  type Machines,
  makeWorld,
  placed,
  type World,
} from './world.js'

/** The changes of a mutant to the executor: its ports, and its reported end. */
export interface Mutant {
  ports?(ports: RunPorts): RunPorts
  backend?(backend: StateBackend, versions: Version[]): StateBackend
  disk?(disk: Disk): Disk
  statePorts?(ports: StatePorts): StatePorts
  end?(end: RunEnd): RunEnd
  /** How many of the newest versions a crash destroys. */
  readonly volatile?: number
}

/** The machines, the end of the configuration, and the options of the first run. */
export interface Setting {
  readonly machines: Machines
  readonly ends: 'ready' | 'failed'
  readonly options?: Partial<ApplyOptions>
  /** True if the state is on a simulated disk, which may lose its power, instead of in memory. */
  readonly disk?: boolean
}

export interface Scenario extends Setting {
  readonly faults: readonly Fault[]
}

export interface Course {
  readonly trace: readonly EffectKind[]
  readonly runs: readonly RunFacts[]
  readonly violations: readonly string[]
  /** Formats all events, and the versions that are stored at the end. */
  log(): readonly string[]
  readonly doubled: number
}

const mostFurther = 3
/** The pause after a run: shorter than a configuration, or longer than every lease, delayed request and configuration. */
const soonMs = 60_000
const laterMs = 30 * 60_000

/** Repeats `apply` until a run without a fault completes the site, and judges each run. */
export async function course(scenario: Scenario, mutant: Mutant = {}): Promise<Course> {
  const stage = stageOf(scenario, placed(scenario.faults), mutant)
  const runs: RunFacts[] = []
  const found: string[] = []
  await goOn(stage, { runs, found, options: scenario.options })
  return ended(stage, runs, found)
}

/** Summarizes a course that has ended. */
export function ended(stage: Stage, runs: readonly RunFacts[], found: readonly string[]): Course {
  const { world, site } = stage
  return {
    trace: world.trace,
    runs,
    violations: found,
    log: () => [...world.log(), ...textsOf(stage)],
    doubled: site.doubled,
  }
}

interface Going {
  readonly runs: RunFacts[]
  readonly found: string[]
  readonly options?: Partial<ApplyOptions> | undefined
}

/** Repeats runs until the site is complete. The options are those of the first run. */
export async function goOn(stage: Stage, { runs, found, options }: Going): Promise<void> {
  const { world, machines } = stage
  for (let run = 0; run <= mostFurther; run += 1) {
    const before = world.met
    const end = await started(stage, run === 0 ? options : undefined)
    const facts = factsOf(stage, end)
    runs.push(end)
    found.push(...judge(facts).map(text => `run ${runs.length}: ${text}`))
    const stuck = findStuck(facts)
    const isQuiet = world.met === before
    if (isQuiet && runs.length > 1 && stuck.length === 0) return
    if (isQuiet && run === mostFurther) found.push(...stuck.map(text => `run ${runs.length}: ${text}`))
    world.clock.pass(run === 0 && machines === 'one' ? soonMs : laterMs)
  }
}

/** Creates a stage, and the run that starts when another one is suspended. */
export function stageOf({ machines, ends, disk }: Setting, faultAt: FaultAt, mutant: Mutant): Stage {
  const world = makeWorld(machines, faultAt)
  const stage: Stage = {
    world,
    site: simSite(world, ends),
    versions: [],
    made: new Set(),
    machines,
    mutant,
    ...(disk && { disk: simDisk(['/runner']) }),
  }
  world.losePower = loss => stage.disk?.losePower(loss)
  world.meanwhile = async how => {
    if (how === 'unlocked-run') await unlock(storeOf(stage, 0))
    await world.process(pid => oneRun(portsOf(stage, pid)))
  }
  return stage
}

/** The environment of one course. */
export interface Stage {
  readonly world: World
  readonly site: SimSite
  readonly versions: Version[]
  /** The texts of versions that were reported as made. */
  readonly made: Set<string>
  readonly machines: Machines
  readonly mutant: Mutant
  readonly disk?: SimDisk
}

/** Starts one run in a new process, and counts the requests of that process. */
export async function started(stage: Stage, options?: Partial<ApplyOptions>): Promise<RunFacts> {
  const { world, site, mutant, versions } = stage
  let pid = 0
  const end = await world.process(async own => {
    pid = own
    return oneRun(portsOf(stage, own), options)
  })
  world.note(`process ${pid} ended with ${end?.exitCode ?? 'a crash'} (${end?.outcome ?? 'crashed'})`)
  const sent = { received: site.receivedFrom(pid), accepted: site.acceptedFrom(pid) }
  if (end !== undefined) return { command: 'apply', ...(mutant.end?.(end) ?? end), sent }
  if (mutant.volatile !== undefined) versions.splice(Math.max(0, versions.length - mutant.volatile))
  return { command: 'apply', exitCode: 'crashed', outcome: 'crashed', sent }
}

export function factsOf(stage: Stage, run: RunFacts): Facts {
  const { disk, made, site } = stage
  const texts = textsOf(stage)
  const state = readState(texts, desired)
  const lost = disk === undefined ? 0 : [...made].filter(text => !texts.includes(text)).length
  return {
    run,
    site: {
      received: site.received,
      accepted: site.accepted,
      state: site.state(),
      hasPolicy: isDeepStrictEqual(site.policy, { podPlacementPolicy: desired.policy }),
    },
    state: lost > 0 ? { damage: `${lost} versions were reported as made, and are missing`, ...state } : state,
  }
}

function textsOf({ disk, versions }: Stage): readonly string[] {
  if (disk === undefined) return versions.map(({ text }) => text)
  const { where } = fileBackend(home).series(desired.site.url)
  const files = [...disk.filesIn(where)].filter(([name]) => name.endsWith('.json'))
  return files.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
}

const home = '/runner/state/landform'

function storeOf(stage: Stage, pid: number): StateStore {
  const { world, mutant } = stage
  const ports = world.statePorts(pid)
  return stateStore(backendOf(stage, pid), { url: desired.site.url }, mutant.statePorts?.(ports) ?? ports)
}

function backendOf(stage: Stage, pid: number): StateBackend {
  const { world, versions, machines, mutant, disk, made } = stage
  if (disk === undefined) {
    const backend = simBackend(world, versions, [machines, pid])
    return mutant.backend?.(backend, versions) ?? backend
  }
  const reached = disk.reachedBy((kind, perform) => world.effect(pid, kind, perform))
  const { self, liveness } = world.statePorts(pid)
  const backend = fileBackend(home, { disk: mutant.disk?.(reached) ?? reached, self, liveness })
  return addingBy(backend, async (series, version) => {
    const added = await series.add(version)
    if (added.ok && added.value) made.add(version.text)
    return added
  })
}

function portsOf(stage: Stage, pid: number): RunPorts {
  const { world, site, mutant } = stage
  const { nonce } = world.statePorts(pid)
  const ports = { client: site.clientOf(pid), state: storeOf(stage, pid), clock: world.clock, nonce }
  return mutant.ports?.(ports) ?? ports
}

/** Unlocks the site, like a person who believes that the run has ended. */
async function unlock(store: StateStore): Promise<void> {
  const read = await store.read()
  const lock = read.ok ? read.value?.lock : undefined
  if (lock !== undefined) await store.unlock(lock.nonce)
}
