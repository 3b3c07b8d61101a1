/** The steps of a workflow, which an engine continues after its process died. The workflow acts only through these. */
export interface WorkflowSteps {
  /**
   * Runs a step and stores its result, which is a JSON value. A replay after a crash returns the stored result; a step
   * whose process died before that runs again. A worker that leaves starts no step: then this never settles.
   */
  run<T>(name: string, step: () => Promise<T>): Promise<T>
  /** Sleeps, at most until the signal; after a crash only for the remaining time. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Signals that stop waiting; a request in flight is completed first. */
export interface StopSignals {
  /** A person cancelled the run. */
  readonly cancelled: AbortSignal
  /** The worker leaves: the current step ends early, and another worker continues the workflow. */
  readonly leaving: AbortSignal
}
