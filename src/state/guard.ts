import { overrideHeldState } from './held-state.js'
import type { HeldState } from './ports.js'
import type { GuardHolder } from './series.js'
import type { Lock, SiteState } from './site-state.js'

/** A hold as a lock: the one in the newest version where that is of the same process. */
export function buildLock(by: GuardHolder, newest: SiteState | undefined): Lock {
  const lock = newest?.lock
  const isSame = JSON.stringify(lock?.holder) === JSON.stringify(by.holder)
  return lock !== undefined && isSame ? lock : { ...by, fence: (newest?.serial ?? 0) + 1 }
}

/** The state of a site that lets its guard go, too, whether its last word could be written or not. */
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
