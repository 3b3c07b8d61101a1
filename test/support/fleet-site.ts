import type { Order } from '../../packages/fleet/src/model/run.js'
import { applyRun } from '../../packages/fleet/src/workflow/apply-run.js'
import type { RunPorts } from '../../packages/fleet/src/workflow/run-ports.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { startEmulator } from '../../src/emulator/server.js'
import { type Death, diaryInMemory, engineInMemory, orderFor, runPorts } from './fleet-run.js'
import { aRequest } from './library-site.js'
import { virtualClock } from './virtual-clock.js'

const opened: Emulator[] = []

/** Closes the emulators of all sites. */
export async function closeSites(): Promise<void> {
  for (const one of opened.splice(0)) await one.close()
}

/** A site whose stages take a minute each, in an emulator with these faults, and what runs of a fleet do with it. */
export async function aFleetSite(faults: readonly string[] = [], options: EmulatorOptions = {}) {
  const clock = virtualClock()
  const emulator = await startEmulator({
    now: clock.now,
    wait: async milliseconds => clock.pass(milliseconds),
    stageMs: 60_000,
    faults: parseBuiltInRules(faults),
    ...options,
  })
  opened.push(emulator)
  const request = await aRequest(emulator.url, clock)
  const order = await orderFor(request)
  const aRun = (changes: Partial<Order> = {}) => {
    const engine = engineInMemory(clock)
    const runLog = diaryInMemory()
    const names = () => engine.kept.map(({ name }) => name.replace(/ \d+$/, ''))
    /** A worker that has the run, until its death if it has one. */
    const worker = (ports: Partial<RunPorts> = {}, death?: Death) =>
      applyRun({ ...order, ...changes }, runPorts(request, { steps: engine.steps(death), runLog, ...ports }))
    return { engine, diary: runLog, names, worker }
  }
  const accepted = () => {
    const { configure, update } = emulator.world().counters
    return [configure.accepted, update.accepted]
  }
  return { clock, emulator, request, order, aRun, accepted }
}
