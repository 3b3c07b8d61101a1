import type { Clock, Result, SiteRequest, StateStore } from 'landform'
import type { ExitCode } from 'landform/cli'
import type { Phase, RunEnd, RunProgress } from '../model/run.js'

/** An event for people. */
export interface RunNote {
  readonly type: string
  readonly message: string
}

/** The log of a run, which other processes read. */
export interface RunLog {
  progress(progress: RunProgress): Promise<void>
  add(notes: readonly RunNote[]): Promise<void>
  /** Records the result. Idempotent. */
  end(end: RunEnd): Promise<void>
}

/** A manifest of the worker with the options for planning; or a failure with an exit code. */
export type OpenedManifest = Result<SiteRequest, { readonly message: string; readonly exitCode: ExitCode }>

/** An event of a run for the log and metrics of its worker. */
type RunReport =
  | { readonly type: 'phase-ended'; readonly phase: Phase; readonly durationMs: number }
  | { readonly type: 'configure-accepted' }
  | { readonly type: 'run-retried'; readonly why: string; readonly pauseMs: number }

/** The ports of the run of a site. */
export interface RunPorts {
  readonly clock: Clock
  readonly runLog: RunLog
  /** Aborted when a person cancelled the run; a request in flight is completed first. */
  readonly cancelled: AbortSignal
  /** Aborted when the worker leaves: the run stops where it is, and another worker continues it. */
  readonly leaving: AbortSignal
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number
  report(report: RunReport): void
  /** Limits how many manifests are opened, and how many sites are planned and sent `configure`, at once. */
  inTurn<T>(what: 'open' | 'start', work: () => Promise<T>): Promise<T>
  openManifest(): Promise<OpenedManifest>
  /** Reads the state of the site, which needs no manifest. */
  readState: StateStore['read']
}
