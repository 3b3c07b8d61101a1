import type { Clock } from '../../../../src/apply/clock.js'
import type { SiteRequest } from '../../../../src/library/site-request.js'
import type { StageRecord } from '../../../../src/plan/observation.js'
import type { Result } from '../../../../src/result.js'
import type { Order, Phase } from '../model/run.js'
import type { RunEnd } from '../model/run-end.js'
import type { Steps, Stops } from './steps.js'

/** What of a run is written while it goes on; what is absent stays as it is. */
export interface RunProgress {
  readonly phase?: Phase
  /** What it waits for, if that is no phase; empty where it goes on. */
  readonly message?: string
  readonly stages?: readonly StageRecord[]
  readonly warnings?: readonly string[]
  readonly retries?: number
}

/** Something that happened, for people. */
export interface RunNote {
  readonly type: string
  readonly message: string
}

/** What others see of a run. */
export interface RunDiary {
  /** This worker has the run now; `cancelled` where its end was asked for meanwhile. */
  start(): Promise<'started' | 'cancelled'>
  /** What was written last, perhaps by another worker. */
  known(): Promise<{ readonly stages: readonly StageRecord[]; readonly warnings: readonly string[] }>
  progress(progress: RunProgress): Promise<void>
  add(notes: readonly RunNote[]): Promise<void>
  /** Writing it twice is the same as writing it once. */
  end(end: RunEnd): Promise<void>
}

/** A site that this process has for a whole run; or why it has not. */
export type Hold =
  | { readonly kind: 'held'; release(): Promise<void> }
  /** Another run has it; `by` says which. */
  | { readonly kind: 'locked'; readonly by: string }

/** A manifest where the worker has it, with what it is to be planned with; or why there is none, with an exit code. */
export type OpenedManifest = Result<SiteRequest, { readonly message: string; readonly exitCode: number }>

/** What is counted of a run. */
export type RunTelling =
  | { readonly type: 'phase-ended'; readonly phase: Phase; readonly durationMs: number }
  | { readonly type: 'run-retried'; readonly why: string; readonly pauseMs: number }

/** What the workflow of a site reaches outside itself. */
export interface RunPorts extends Stops {
  readonly steps: Steps
  readonly clock: Clock
  /** A number from 0 to 1, to spread looks. */
  random(): number
  readonly diary: RunDiary
  /** Time between two looks at a site; unless given, as `landform apply` has it. */
  readonly pollMs?: number
  /** Hears what is counted. */
  tell?(telling: RunTelling): void
  /** Takes the site for this process, so that no single run begins anything there meanwhile. */
  hold(): Promise<Hold>
  openManifest(order: Order): Promise<OpenedManifest>
}
