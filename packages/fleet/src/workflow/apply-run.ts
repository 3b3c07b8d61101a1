import type { Order } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import { courseAfter, newCourse } from './course.js'
import type { RunPorts } from './run-ports.js'
import { siteSteps } from './site-steps.js'

/**
 * Brings one site to what its manifest says: look, configure, wait, update. Every decision rests on what steps have answered, so
 * that it takes the same way when it is run again after a crash; `configure` is sent by the executor of `landform apply`, with
 * its promise, so that a step that is done twice sends it once.
 */
export async function applyRun(order: Order, ports: RunPorts): Promise<RunEnd> {
  const site = siteSteps(order, ports)
  try {
    let course = newCourse
    for (let number = 1; ; number += 1) {
      const at = course
      const result = await ports.steps.run(`${at.phase} ${number}`, () => site.take(at))
      if (result.kind === 'ended') {
        await ports.diary.end(result.end)
        return result.end
      }
      course = courseAfter(at, result)
      // The next step tells that the run is cancelled; it is not to wait for that.
      if (result.kind === 'again') await ports.steps.sleep(result.pauseMs, ports.cancelled)
    }
  } finally {
    await site.leave()
  }
}
