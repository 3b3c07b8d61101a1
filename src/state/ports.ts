import type { Holder, Liveness, StageTiming } from '../plan/submission.js'
import type { StateBackend } from './series.js'
import type { Lock, SiteState, StateContent, StateEntry } from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** Who has a site. */
export interface LockOwner {
  readonly lock: Lock
  readonly liveness: Liveness
}

/** The state of a site as long as one run has it. Each write is a version of its own. */
export interface HeldState {
  readonly content: StateContent
  readonly lock: Lock
  /** Names the history that this is the newest version of. */
  readonly lineage: string
  /**
   * Notes what happened. Where that cannot be written it is kept for the next write, which writes everything; but
   * `overtaken` is final: another run has the site.
   */
  write(entry: StateEntry, change: (content: StateContent) => StateContent): Promise<StateReply<void>>
  /**
   * Reads the newest version once more and makes sure that it is the last one of this run, right before what cannot be
   * taken back: a run that stood still may have been overtaken meanwhile.
   */
  confirm(): Promise<StateReply<void>>
  /** Makes a lease last longer once a third of it is over; nothing where locks last as long as their process. */
  renew(): Promise<StateReply<void>>
  /** Lets the site go, with a last word. */
  release(entry: StateEntry): Promise<StateReply<void>>
}

/** What the store needs of the world. */
export interface StatePorts {
  /** Milliseconds since 1970. */
  now(): number
  /** Text that nobody guesses. */
  nonce(): string
  /** This process, as others will know it. */
  self(): Promise<Holder>
  liveness(holder: Holder): Promise<Liveness>
  /** Name and version of the tool. */
  readonly tool: string
}

/** The state of one site: its journal, lock, record and receipts. */
export interface StateStore {
  readonly kind: StateBackend['kind']
  /** Where it is kept, as the user would name it. */
  readonly where: string
  /** The newest version, or `undefined` where nothing is kept yet; never that because it could not be read. */
  read(): Promise<StateReply<SiteState | undefined>>
  /** Every version, the oldest first, once the chain has been found whole. */
  history(): Promise<StateReply<readonly SiteState[]>>
  /** Takes the site for one run, if no other has it and what is kept is as expected. */
  take(purpose: string, isExpected?: (content: StateContent) => boolean): Promise<TakeResult>
  /** Removes the lock with this nonce, unless its process is known to live: that one still works on the site. */
  unlock(nonce: string): Promise<StateReply<'unlocked' | 'not-locked' | 'another' | 'alive'>>
  liveness(holder: Holder): Promise<Liveness>
  /** Who has the site whose newest version this is; `undefined` where nobody has. */
  lockOwner(newest: SiteState | undefined): Promise<LockOwner | undefined>
  /** How long the stages of configurations took that are known here, of every site. */
  timings(): Promise<readonly (readonly StageTiming[])[]>
}

/** A site that this run has, or why it has not. */
export type TakeResult =
  /** `isGone` where the process of the former lock is proven to be gone, and did not only lose its hold on the site. */
  | { readonly kind: 'held'; readonly held: HeldState; readonly former?: Lock; readonly isGone?: true }
  | { readonly kind: 'locked'; readonly lock: Lock; readonly liveness: Liveness }
  | { readonly kind: 'moved' }
  | { readonly kind: 'failed'; readonly failure: StateFailure }
