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
  /** Identifies the history of which this is the newest version. */
  readonly lineage: string
  /** True where the last write failed. */
  readonly isBehind: boolean
  /** Set where this machine could not note the last submission intent, with the folder of its notes if it has one. */
  readonly unnoted?: { readonly folder?: string } | undefined
  /** Changes the content that the next version has. */
  note(change: (content: StateContent) => StateContent): void
  /**
   * Writes an entry; a submission intent together with what else has to be recorded before its request is sent. Where that fails, the change is kept for the next write, which writes everything; but `overtaken`
   * is final: another run has the site.
   */
  write(entry: StateEntry, change: (content: StateContent) => StateContent): Promise<StateReply<void>>
  /**
   * Reads the newest version again and verifies that this run wrote it, right before a step that cannot be undone:
   * another run may have taken over from a suspended one.
   */
  confirm(): Promise<StateReply<void>>
  /** Extends a lease once a third of it is over; does nothing where locks last as long as their process. */
  renew(): Promise<StateReply<void>>
  /** Releases the site, with a last entry. */
  release(entry: StateEntry): Promise<StateReply<void>>
}

/** The clock, nonces and process checks that the store needs. */
export interface StatePorts {
  /** Milliseconds since 1970. */
  now(): number
  /** Makes text that cannot be guessed. */
  nonce(): string
  /** Identifies this process for others. */
  self(): Promise<Holder>
  liveness(holder: Holder): Promise<Liveness>
  /** Name and version of the tool. */
  readonly tool: string
  /** Pauses before the lock of another run is read again; false once the wait is over. Absent where nobody waits. */
  awaitLock?(owner: LockOwner): Promise<boolean>
}

/** The state of one site: its journal, lock, record and receipts. */
export interface StateStore {
  readonly kind: StateBackend['kind']
  /** The place of the state, as the user would name it. */
  readonly where: string
  /** Reads the newest version; `undefined` where nothing is kept yet, never where it could not be read. */
  read(): Promise<StateReply<SiteState | undefined>>
  /**
   * Reads every version, or so many of the last, the oldest first, verifies the chain of these, and keeps what is selected of
   * each version.
   */
  history<T = SiteState>(select?: (state: SiteState) => T, last?: number): Promise<StateReply<readonly T[]>>
  /** Waits for the lock of another run, as long as the ports do; returns also where it is still locked or cannot be read. */
  whenFree(): Promise<void>
  /** Takes the site for one run, if no other has it and its content is as expected. Waits as long as the ports do. */
  take(purpose: string, isExpected?: (content: StateContent) => boolean): Promise<TakeResult>
  /** Removes the lock with this nonce, unless its process is known to live: that one still works on the site. */
  unlock(nonce: string): Promise<StateReply<'unlocked' | 'not-locked' | 'another' | 'alive'>>
  liveness(holder: Holder): Promise<Liveness>
  /** Finds the lock owner of the site with this newest version; `undefined` where the site is free. */
  lockOwner(newest: SiteState | undefined): Promise<LockOwner | undefined>
}

/** A site that this run has taken, or the reason why it has not. */
export type TakeResult =
  /** `isGone` where the process of the former lock is proven to be gone, rather than only its hold on the site. */
  | { readonly kind: 'held'; readonly held: HeldState; readonly former?: Lock; readonly isGone?: true }
  | { readonly kind: 'locked'; readonly lock: Lock; readonly liveness: Liveness }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly failure: StateFailure }
