import type { StateStore } from './ports.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** The most pointers that are followed one after another: more of them form a circle. */
const maxPointers = 5

/** Opens the place that a pointer names. */
export type OpenPlace = (location: string) => Promise<StateReply<StateStore>>

/**
 * Opens the state of a site wherever it was moved: the place that a pointer names replaces the place of the pointer.
 */
export function followPointers(first: StateStore, open: OpenPlace): StateStore {
  let current = first
  const follow = async (failure: StateFailure, hop: number): Promise<StateFailure | undefined> => {
    const location = failure.to?.state
    if (failure.kind !== 'moved' || location === undefined || hop === maxPointers) return failure
    const opened = await open(location)
    if (!opened.ok) return opened.error
    current = opened.value
    return undefined
  }
  const atEnd = async <T>(ask: (store: StateStore) => Promise<StateReply<T>>): Promise<StateReply<T>> => {
    for (let hop = 0; ; hop += 1) {
      const reply = await ask(current)
      const failure = reply.ok ? undefined : await follow(reply.error, hop)
      if (reply.ok) return reply
      if (failure !== undefined) return { ok: false, error: failure }
    }
  }
  return {
    get kind() {
      return current.kind
    },
    get where() {
      return current.where
    },
    read: () => atEnd(store => store.read()),
    async history() {
      // The last place is known only after a read.
      const read = await atEnd(store => store.read())
      return read.ok ? current.history() : read
    },
    async take(purpose, isExpected) {
      for (let hop = 0; ; hop += 1) {
        const taken = await current.take(purpose, isExpected)
        if (taken.kind !== 'failed') return taken
        const failure = await follow(taken.failure, hop)
        if (failure !== undefined) return { kind: 'failed', failure }
      }
    },
    unlock: nonce => atEnd(store => store.unlock(nonce)),
    liveness: holder => current.liveness(holder),
    lockOwner: newest => current.lockOwner(newest),
    timings: () => current.timings(),
  }
}
