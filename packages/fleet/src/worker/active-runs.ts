import type { RunKey } from '../model/run.js'

/** The running runs of this process. */
export interface ActiveRuns {
  readonly size: number
  /** Adds a run, and returns the signal for its cancellation. */
  begin(key: RunKey): AbortSignal
  end(key: RunKey): void
  /** Signals cancelled runs; runs of other processes are ignored. */
  cancel(keys: readonly RunKey[]): void
}

export function createActiveRuns(): ActiveRuns {
  const here = new Map<string, AbortController>()
  const formatKey = ({ site, generation }: RunKey) => `${generation} ${site}`
  return {
    get size() {
      return here.size
    },
    begin(key) {
      const controller = new AbortController()
      here.set(formatKey(key), controller)
      return controller.signal
    },
    end(key) {
      here.delete(formatKey(key))
    },
    cancel(keys) {
      for (const key of keys) here.get(formatKey(key))?.abort()
    },
  }
}
