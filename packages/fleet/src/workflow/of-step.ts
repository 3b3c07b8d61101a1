import type { Order } from '../model/run.js'
import type { Found } from './course.js'
import { openSiteOfRun, type SiteOfRun } from './open-site-of-run.js'
import type { RunDiary, RunPorts } from './run-ports.js'
import type { Teller } from './teller.js'

/** The context of a step of a run. */
export interface OfStep extends Pick<RunPorts, 'clock' | 'random' | 'openManifest' | 'pollMs'> {
  readonly diary: RunDiary
  readonly order: Order
  readonly told: Teller
  /** Stops waiting. */
  readonly stop: AbortSignal
}

/** Opens the site for one step, and always closes it. */
export async function withSite(step: OfStep, work: (open: SiteOfRun) => Promise<Found>): Promise<Found> {
  const opened = await openSiteOfRun(step.order, step)
  if (!opened.ok) return opened.error
  try {
    return await work(opened.value)
  } finally {
    opened.value.close()
  }
}
