import type { Order } from '../model/run.js'
import { openRunSite, type RunSite } from './open-run-site.js'
import type { RunLog, RunPorts } from './run-ports.js'
import type { RunReporter } from './run-reporter.js'
import type { StepOutcome } from './workflow-state.js'

/** The context of a step of a run. */
export interface StepContext
  extends Pick<RunPorts, 'clock' | 'random' | 'openManifest' | 'pollMs' | 'inTurn'> {
  readonly runLog: RunLog
  readonly order: Order
  readonly reporter: RunReporter
  /** Stops waiting. */
  readonly stop: AbortSignal
}

/** Opens the site for one step, and always closes it. */
export async function withSite(
  step: StepContext,
  work: (open: RunSite) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const opened = await openRunSite(step.order, step)
  if (!opened.ok) return opened.error
  try {
    return await work(opened.value)
  } finally {
    opened.value.close()
  }
}
