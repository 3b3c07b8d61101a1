import { overrideHeldState } from './held-state.js'
import type { HeldState } from './ports.js'
import type { GuardHolder } from './series.js'
import type { Lock, SiteState } from './site-state.js'

/** Builds the lock of a guard holder: the lock in the newest version, if that is of the same process. */
export function buildLock(by: GuardHolder, newest: SiteState | undefined): Lock {
  const lock = newest?.lock
  const isSame = JSON.stringify(lock?.holder) === JSON.stringify(by.holder)
  return lock !== undefined && isSame ? lock : { ...by, fence: (newest?.serial ?? 0) + 1 }
}

/** Wraps held state so that its release also releases the guard, whether its last entry could be written or not. */
export function withGuard(held: HeldState, release: () => Promise<void>): HeldState {
  return overrideHeldState(held, {
    async release(entry) {
      try {
        return await held.release(entry)
      } finally {
        await release()
      }
    },
  })
}
