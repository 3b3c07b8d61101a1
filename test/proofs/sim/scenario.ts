import { isDeepStrictEqual } from 'node:util'
import type { ApplyOptions } from '../../../src/apply/context.js'
import type { StateBackend, Version } from '../../../src/state/series.js'
import { type StateStore, stateStore } from '../../../src/state/state-store.js'
import { journalOf, readChain } from '../chain.js'
import { type Ended, isStuck, type Truth, violations } from '../oracle.js'
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

/** What a mutant of the executor changes: the ports around it, and how an end is told. */
export interface Mutant {
  ports?(ports: RunPorts): RunPorts
  backend?(backend: StateBackend, versions: Version[]): StateBackend
  end?(end: RunEnd): RunEnd
  /** How many of the newest versions a crash takes along. */
  readonly volatile?: number
}

/** A course of things: where, what goes wrong, how the configuration ends, and what the first run was told. */
export interface Scenario {
  readonly machines: Machines
  readonly ends: 'ready' | 'failed'
  readonly options?: Partial<ApplyOptions>
  readonly faults: readonly Fault[]
}

export interface Course {
  readonly trace: readonly EffectKind[]
  readonly runs: readonly Ended[]
  readonly violations: readonly string[]
}

const mostFurther = 3
/** Soon, while things are still under way; later, when no lease lasts and nothing is under way any more. */
const soonMs = 60_000
const laterMs = 30 * 60_000

/** Runs `apply`, and again until a run without a fault has ended it; the oracle looks after each. */
export async function course(scenario: Scenario, mutant: Mutant = {}): Promise<Course> {
  const stage = stageOf(scenario, placed(scenario.faults), mutant)
  const runs: Ended[] = []
  const found: string[] = []
  await goOn(stage, { runs, found, options: scenario.options })
  return { trace: stage.world.trace, runs, violations: found }
}

interface Going {
  readonly runs: Ended[]
  readonly found: string[]
  readonly options?: Partial<ApplyOptions> | undefined
}

/** Runs until nothing is left to be done; `options` are those of the first run. */
export async function goOn(stage: Stage, { runs, found, options }: Going): Promise<void> {
  const { world, machines } = stage
  for (let run = 0; run <= mostFurther; run += 1) {
    const before = world.met
    const ended = await started(stage, run === 0 ? options : undefined)
    const truth = truthOf(stage)
    runs.push(ended)
    found.push(...violations(truth, ended).map(text => `run ${runs.length}: ${text}`))
    const stuck = isStuck(truth, ended)
    const isQuiet = world.met === before
    if (isQuiet && runs.length > 1 && stuck === undefined) return
    if (isQuiet && run === mostFurther) found.push(`run ${runs.length}: ${stuck}`)
    world.clock.pass(run === 0 && machines === 'one' ? soonMs : laterMs)
  }
}

/** A new stage, and who takes the turn when a run stands still. */
export function stageOf(
  { machines, ends }: Omit<Scenario, 'faults'>,
  faultAt: FaultAt,
  mutant: Mutant,
): Stage {
  const world = makeWorld(machines, faultAt)
  const stage: Stage = { world, site: simSite(world, ends), versions: [], machines, mutant }
  world.meanwhile = async how => {
    if (how === 'unlocked-run') await unlock(storeOf(stage, 0))
    await world.process(pid => oneRun(portsOf(stage, pid)))
  }
  return stage
}

/** Everything that one course is played on. */
export interface Stage {
  readonly world: World
  readonly site: SimSite
  readonly versions: Version[]
  readonly machines: Machines
  readonly mutant: Mutant
}

/** One run of a new process, and what came to the service from it. */
export async function started(stage: Stage, options?: Partial<ApplyOptions>): Promise<Ended> {
  const { world, site, mutant, versions } = stage
  let pid = 0
  const end = await world.process(async own => {
    pid = own
    return oneRun(portsOf(stage, own), options)
  })
  const counts = { received: site.receivedFrom(pid), accepted: site.acceptedFrom(pid) }
  if (end !== undefined) return { ...(mutant.end?.(end) ?? end), ...counts }
  if (mutant.volatile !== undefined) versions.splice(Math.max(0, versions.length - mutant.volatile))
  return { exitCode: 'crashed', outcome: 'crashed', ...counts }
}

/** What is so on a stage. */
export function truthOf({ site, versions }: Stage): Truth {
  const { versions: kept, broken } = readChain(versions.map(({ text }) => text))
  const record = kept.at(-1)?.record
  const isRecorded =
    record?.organization?.manifest === desired.digest &&
    isDeepStrictEqual(record.policy?.value, desired.policy)
  return {
    received: site.received,
    accepted: site.accepted,
    site: site.state(),
    journal: journalOf(kept),
    isAsDesired: isRecorded && isDeepStrictEqual(site.policy, { podPlacementPolicy: desired.policy }),
    ...(broken !== undefined && { broken }),
  }
}

function storeOf({ world, versions, machines, mutant }: Stage, pid: number): StateStore {
  const backend = simBackend(world, versions, [machines, pid])
  const made = mutant.backend?.(backend, versions) ?? backend
  return stateStore(made, desired.site.url, world.statePorts(pid))
}

function portsOf(stage: Stage, pid: number): RunPorts {
  const { world, site, mutant } = stage
  const ports = { client: site.clientOf(pid), state: storeOf(stage, pid), clock: world.clock }
  return mutant.ports?.(ports) ?? ports
}

/** What a person does who takes a run for gone. */
async function unlock(store: StateStore): Promise<void> {
  const read = await store.read()
  const lock = read.ok ? read.value?.lock : undefined
  if (lock !== undefined) await store.unlock(lock.nonce)
}
