import type { Host, Signal } from '../host.js'

/** One ear for the signals of the user, for all that goes on at once. */
export interface SharedSignals {
  /** Calls back on the first signal, and at once where it came already. */
  onSignal(listener: (signal: Signal) => void): () => void
  received(): Signal | undefined
  forget(): void
}

/** Listens once, and tells all who want to know. */
export function sharedSignals(host: Host): SharedSignals {
  const listeners = new Set<(signal: Signal) => void>()
  let received: Signal | undefined
  const forget = host.onSignal(signal => {
    received = signal
    for (const listener of listeners) listener(signal)
  })
  return {
    onSignal(listener) {
      if (received === undefined) listeners.add(listener)
      else listener(received)
      return () => listeners.delete(listener)
    },
    received: () => received,
    forget,
  }
}
