import type { Run, RunProgress } from '../../packages/fleet/src/model/run.js'
import { applyRun } from '../../packages/fleet/src/workflow/apply-run.js'
import type { RunPorts } from '../../packages/fleet/src/workflow/run-ports.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { anEmulator } from './emulator.js'
import { diaryInMemory, mortalPorts, runFor, runPorts } from './fleet-run.js'
import { aRequest } from './library-site.js'
import { virtualClock } from './virtual-clock.js'

/** Starts a site with these faults, whose stages take a minute each. Returns functions that run it as a fleet does. */
export async function aFleetSite(faults: readonly string[] = [], options: EmulatorOptions = {}) {
  const clock = virtualClock()
  const emulator = await anEmulator({
    now: clock.now,
    wait: async milliseconds => clock.pass(milliseconds),
    stageMs: 60_000,
    faults: parseBuiltInRules(faults),
    ...options,
  })
  const request = await aRequest(emulator.url, clock)
  const order = await runFor(request)
  const aRun = (changes: Partial<Run> = {}) => {
    const diary = diaryInMemory()
    const phases = () => diary.written.progress.flatMap(({ phase }) => phase ?? [])
    /** Runs a worker that continues from the recorded progress; with `death`, until that many calls. */
    const worker = (ports: Partial<RunPorts> = {}, death = Number.POSITIVE_INFINITY) => {
      const { message: _, ...before } = Object.assign({}, ...diary.written.progress) as RunProgress
      const own = mortalPorts(runPorts(request, { runLog: diary, ...ports }), death)
      const ended = applyRun({ ...order, ...before, ...changes }, own)
      return Object.assign(ended, { calls: own.calls })
    }
    return { diary, phases, worker }
  }
  const accepted = () => {
    const { configure, update } = emulator.world().counters
    return [configure.accepted, update.accepted]
  }
  return { clock, emulator, request, order, aRun, accepted }
}
