import type { Holder, Liveness } from '../plan/submission.js'
import type { StateBackend } from './series.js'
import type { Lock, SiteState, StateContent, StateEntry } from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** The lock of a site, and the liveness of its process. */
export interface LockOwner {
  readonly lock: Lock
  readonly liveness: Liveness
}

/** The state of a site while one run holds it. Each write is a new version. */
export interface HeldState {
  readonly content: StateContent
  readonly lock: Lock
  /** The ID of the history that this version continues. */
  readonly lineage: string
  /** True if the last write failed. */
  readonly isBehind: boolean
  /** Present if this machine could not note the last submission intent, with the folder of its notes if it has one. */
  readonly unnoted?: { readonly folder?: string } | undefined
  /** Changes the content of the next version. */
  note(change: (content: StateContent) => StateContent): void
  /**
   * Writes an entry; for a submission intent, also the records that must exist elsewhere before the request is sent.
   * If that fails, the next write includes the change; only `overtaken` is final: another run has the site.
   */
  write(entry: StateEntry, change: (content: StateContent) => StateContent): Promise<StateReply<void>>
  /**
   * Reads the newest version again, right before a step that cannot be undone, and verifies that this run wrote it:
   * while this run was suspended, another may have taken over.
   */
  confirm(): Promise<StateReply<void>>
  /** Extends a lease once a third of it has passed; does nothing if locks last as long as their process. */
  renew(): Promise<StateReply<void>>
  /** Releases the site, with a last entry. */
  release(entry: StateEntry): Promise<StateReply<void>>
}

/** The clock, nonces and process checks that the store needs. */
export interface StatePorts {
  /** Milliseconds since 1970. */
  now(): number
  /** Generates text that cannot be guessed. */
  nonce(): string
  /** Identifies this process to other runs. */
  self(): Promise<Holder>
  liveness(holder: Holder): Promise<Liveness>
  /** Name and version of the tool. */
  readonly tool: string
  /** Pauses before the lock of another run is read again; false once the waiting is over. Absent if the caller never waits. */
  awaitLock?(owner: LockOwner): Promise<boolean>
}

/** The state of one site: its journal, lock, record and receipts. */
export interface StateStore {
  readonly kind: StateBackend['kind']
  /** The place of the state, as the user would name it. */
  readonly where: string
  /** Reads the newest version; `undefined` if there is none yet. A failed read is an error, never `undefined`. */
  read(): Promise<StateReply<SiteState | undefined>>
  /**
   * Reads every version, or only the given number of last ones, oldest first. Verifies the chain of these, and selects
   * a value from each.
   */
  history<T = SiteState>(select?: (state: SiteState) => T, last?: number): Promise<StateReply<readonly T[]>>
  /** Waits for the lock of another run, as long as the ports do. May return while the lock is still held or unreadable. */
  whenFree(): Promise<void>
  /** Takes the site for one run, if no other run holds it and its content is as expected. Waits as long as the ports do. */
  take(purpose: string, isExpected?: (content: StateContent) => boolean): Promise<TakeResult>
  /** Removes the lock with this nonce, unless its process is known to be alive and may still change the site. */
  unlock(nonce: string): Promise<StateReply<'unlocked' | 'not-locked' | 'another' | 'alive'>>
  liveness(holder: Holder): Promise<Liveness>
  /** Finds the lock owner for the newest version of a site; `undefined` if the site is free. */
  lockOwner(newest: SiteState | undefined): Promise<LockOwner | undefined>
}

/** A site that this run has taken, or the reason why it has not. */
export type TakeResult =
  /** `isGone` if the process of the former lock is proven to have ended, not only its lease. */
  | { readonly kind: 'held'; readonly held: HeldState; readonly former?: Lock; readonly isGone?: true }
  | { readonly kind: 'locked'; readonly lock: Lock; readonly liveness: Liveness }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly failure: StateFailure }
