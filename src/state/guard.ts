import type { Holder, Liveness } from '../plan/submission.js'
import { type HeldState, heldWith } from './held-state.js'
import type { Lock, SiteState } from './site-state.js'
import type { StateReply } from './state-failure.js'

/**
 * Has sites for runs beside what their versions say, where a place knows by itself when a process is gone: who has a site
 * has it alone, and a lock that stands in a version then is of a run that has died.
 */
export interface Guard {
  /** Takes a site for one run, or tells who has it. */
  take(site: string, purpose: string): Promise<StateReply<Guarded>>
  /** Who has a site; `undefined` where no living process has. */
  holder(site: string): Promise<StateReply<GuardHolder | undefined>>
}

export type Guarded =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'locked'; readonly by: GuardHolder }

/** Who has a site, though no version may say so. */
export interface GuardHolder {
  /** Names this hold. */
  readonly nonce: string
  readonly holder: Holder
  readonly purpose: string
  readonly since: string
}

/** Who has a site. */
export interface Possession {
  readonly lock: Lock
  readonly liveness: Liveness
}

/** A hold as a lock: the one in the newest version where that is of the same process. */
export function lockOf(by: GuardHolder, newest: SiteState | undefined): Lock {
  const lock = newest?.lock
  const isSame = JSON.stringify(lock?.holder) === JSON.stringify(by.holder)
  return lock !== undefined && isSame ? lock : { ...by, fence: (newest?.serial ?? 0) + 1 }
}

/** The state of a site that lets its guard go, too, whether its last word could be written or not. */
export function withGuard(held: HeldState, release: () => Promise<void>): HeldState {
  return heldWith(held, {
    async release(entry) {
      try {
        return await held.release(entry)
      } finally {
        await release()
      }
    },
  })
}
