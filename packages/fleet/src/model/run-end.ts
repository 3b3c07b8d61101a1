import type { RunState } from './run.js'

/** How a run ended. */
export interface RunEnd {
  readonly state: Exclude<RunState, 'waiting' | 'queued' | 'running'>
  /** In words of Landform, with what to do next where something is to be done. */
  readonly message: string
  /** The exit code that `landform apply` would have ended with. */
  readonly exitCode: number
}
