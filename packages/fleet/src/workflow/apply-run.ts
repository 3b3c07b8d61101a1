import type { Order } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import { courseAfter, newCourse } from './course.js'
import type { RunPorts } from './run-ports.js'
import { siteSteps } from './site-steps.js'

/**
 * Applies the manifest of one site: observe, configure, wait, update. Every decision depends only on the results of steps,
 * so a replay after a crash takes the same path. `configure` is sent by the executor of `landform apply` with its
 * submission intent, so a repeated step sends it once.
 */
export async function applyRun(order: Order, ports: RunPorts): Promise<RunEnd> {
  const site = siteSteps(order, ports)
  try {
    let current = newCourse
    for (let number = 1; ; number += 1) {
      const before = current
      const result = await ports.steps.run(`${before.phase} ${number}`, () => site.take(before))
      if (result.kind === 'ended') {
        await ports.diary.end(result.end)
        return result.end
      }
      current = courseAfter(before, result)
      // The next step reports the cancellation and must not be delayed by the pause.
      if (result.kind === 'again') await ports.steps.sleep(result.pauseMs, ports.cancelled)
    }
  } finally {
    await site.leave()
  }
}
