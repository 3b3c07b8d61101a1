import type { Clock, Result, SiteRequest } from 'landform'
import type { StageRecord } from 'landform/sites'
import type { Order, Phase, RunProgress } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import type { StopSignals, WorkflowSteps } from './steps.js'

/** An event for people. */
export interface RunNote {
  readonly type: string
  readonly message: string
}

/** The log of a run, which other processes read. */
export interface RunLog {
  /** Records that this worker has the run; returns `cancelled` if its cancellation was requested. */
  start(): Promise<'started' | 'cancelled'>
  /** Reads the last written state, possibly of another worker. */
  readLast(): Promise<{ readonly stages: readonly StageRecord[]; readonly warnings: readonly string[] }>
  progress(progress: RunProgress): Promise<void>
  add(notes: readonly RunNote[]): Promise<void>
  /** Records the result. Idempotent. */
  end(end: RunEnd): Promise<void>
}

/** A site held by this process for a whole run, or the reason that it is not. */
export type SiteHold =
  | { readonly kind: 'held'; release(): Promise<void> }
  /** Another run holds it; `by` names that run. */
  | { readonly kind: 'locked'; readonly by: string }

/** A manifest of the worker with the options for planning; or a failure with an exit code. */
export type OpenedManifest = Result<SiteRequest, { readonly message: string; readonly exitCode: number }>

/** An event of a run that is counted. */
export type RunReport =
  | { readonly type: 'phase-ended'; readonly phase: Phase; readonly durationMs: number }
  | { readonly type: 'run-retried'; readonly why: string; readonly pauseMs: number }

/** Does work when its turn comes. */
export function waitForTurn<T>(
  { inTurn }: Pick<RunPorts, 'inTurn'>,
  what: 'open' | 'send',
  work: () => Promise<T>,
): Promise<T> {
  return inTurn === undefined ? work() : inTurn(what, work)
}

/** The ports of the workflow of a site. */
export interface RunPorts extends StopSignals {
  readonly steps: WorkflowSteps
  readonly clock: Clock
  /** Returns a number from 0 to 1, to spread polls. */
  random(): number
  readonly runLog: RunLog
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number
  /** Receives the counted events. */
  report?(report: RunReport): void
  /** Does work in its turn: few sites are opened at once, and `configure` is sent to few. Default: at once. */
  inTurn?<T>(what: 'open' | 'send', work: () => Promise<T>): Promise<T>
  /** Acquires the site for this process, so that no other run starts anything there. */
  hold(): Promise<SiteHold>
  openManifest(order: Order): Promise<OpenedManifest>
}
