import type { RunState } from 'landform/sites'
import type { Phase, Rollout, RunKey } from './run.js'

/** A run with the name of its site, for logs. */
export interface NamedRun extends RunKey {
  readonly name: string
}

interface WithRun {
  readonly run: NamedRun
}

/** An event of a worker. Holds no secret, no payload, and no text of a manifest. */
export type WorkerEvent =
  | {
      readonly type: 'worker-started'
      /** Maximum number of sites at once. */
      readonly limit: number
      readonly version: string
      /** The database, without user and password. */
      readonly database: string
    }
  | { readonly type: 'worker-stopping'; readonly signal: string }
  | { readonly type: 'worker-stopped' }
  | { readonly type: 'lease-lost'; readonly why: string }
  | (WithRun & { readonly type: 'run-started' })
  | (WithRun & { readonly type: 'phase-ended'; readonly phase: Phase; readonly durationMs: number })
  | (WithRun & { readonly type: 'configure-accepted' })
  | (WithRun & { readonly type: 'run-retried'; readonly why: string; readonly pauseMs: number })
  | (WithRun & {
      readonly type: 'run-ended'
      readonly state: RunState
      /** The result, written by Landform. */
      readonly outcome: string
      /** Since the first worker started it. */
      readonly durationMs: number
    })
  | { readonly type: 'runs-adopted'; readonly from: string; readonly runs: number }
  | ({ readonly type: 'rollout-changed'; readonly rollout: string } & Pick<Rollout, 'wave' | 'state'>)
  | { readonly type: 'database-failed'; readonly why: string; readonly code?: string }
  | { readonly type: 'database-restored' }
  | { readonly type: 'engine-said'; readonly level: 'warn' | 'error'; readonly said: string }

/** Receives every event of a worker. */
export type ReportWorkerEvent = (event: WorkerEvent) => void
