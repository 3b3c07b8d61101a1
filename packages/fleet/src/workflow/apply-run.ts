import type { Order } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import type { RunPorts } from './run-ports.js'
import { createSiteSteps } from './site-steps.js'
import { advanceState, initialState } from './workflow-state.js'

/**
 * Applies the manifest of one site: observe, configure, wait, update. Every decision depends only on the results of steps,
 * so a replay after a crash takes the same path. `configure` is sent by the executor of `landform apply` with its
 * submission intent, so a repeated step sends it once.
 */
export async function applyRun(order: Order, ports: RunPorts): Promise<RunEnd> {
  const site = createSiteSteps(order, ports)
  try {
    let current = initialState
    for (let number = 1; ; number += 1) {
      const before = current
      const result = await ports.steps.run(`${before.phase} ${number}`, () => site.run(before))
      if (result.kind === 'ended') {
        await ports.runLog.end(result.end)
        return result.end
      }
      current = advanceState(before, result)
      // The next step reports the cancellation and must not be delayed by the pause.
      if (result.kind === 'again') await ports.steps.sleep(result.pauseMs, ports.cancelled)
    }
  } finally {
    await site.leave()
  }
}
