import type { RunKey } from '../model/run.js'

/** The runs that are under way in this process. */
export interface RunsHere {
  readonly size: number
  /** Notes one, and gives the signal that its end was asked for. */
  begin(key: RunKey): AbortSignal
  end(key: RunKey): void
  /** Passes on that a person asked for the end of some; those that are elsewhere are left alone. */
  cancel(keys: readonly RunKey[]): void
}

export function runsHere(): RunsHere {
  const here = new Map<string, AbortController>()
  const nameOf = ({ site, generation }: RunKey) => `${generation} ${site}`
  return {
    get size() {
      return here.size
    },
    begin(key) {
      const controller = new AbortController()
      here.set(nameOf(key), controller)
      return controller.signal
    },
    end(key) {
      here.delete(nameOf(key))
    },
    cancel(keys) {
      for (const key of keys) here.get(nameOf(key))?.abort()
    },
  }
}
