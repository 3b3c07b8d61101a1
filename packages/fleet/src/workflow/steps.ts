/** How an engine carries a workflow across the death of its process. The workflow does nothing but by these. */
export interface Steps {
  /**
   * Does something and keeps its answer, which is a JSON value. Where the workflow is run again after a crash the answer is
   * the one that was kept; a step whose process died before that is done again. A worker that leaves begins no step: then
   * this never settles.
   */
  run<T>(name: string, step: () => Promise<T>): Promise<T>
  /** Sleeps, or until the signal; after a crash only for what is left of the time. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Why a workflow is to stop what it waits for; what it sends is answered first. */
export interface Stops {
  /** A person asked for the end of the run. */
  readonly cancelled: AbortSignal
  /** The worker goes: the step under way ends early, and another worker takes the workflow up. */
  readonly leaving: AbortSignal
}
