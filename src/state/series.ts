import type { Holder } from '../plan/submission.js'
import type { StateReply } from './state-failure.js'

/**
 * Holds sites for runs independently of their versions, in a backend that detects dead processes. A holder excludes
 * every other run, so a lock that it finds in a version belongs to a dead run.
 */
export interface Guard {
  /** Takes a site for one run, or returns its holder. */
  take(site: string, purpose: string): Promise<StateReply<GuardReply>>
  /** Finds the holder of a site; `undefined` where no living process holds it. */
  holder(site: string): Promise<StateReply<GuardHolder | undefined>>
}

export type GuardReply =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'locked'; readonly by: GuardHolder }

/** The holder of a site, even where no version names it. */
export interface GuardHolder {
  /** Names this hold. */
  readonly nonce: string
  readonly holder: Holder
  readonly purpose: string
  readonly since: string
}

/** One document of a series. It is created once and never changed. */
export interface Version {
  /** Counts from 1, without gaps. */
  readonly serial: number
  readonly text: string
}

/**
 * The documents of one site in order. Creating the next number is what excludes other runs: of several that try, on one
 * machine or on many, exactly one succeeds.
 */
export interface Series {
  /** The place of the documents, as the user would name it. */
  readonly where: string
  /** Reads the document with the highest number; `undefined` only if no document exists. */
  newest(): Promise<StateReply<Version | undefined>>
  /** Creates a document durably before it returns; false where its number is taken. */
  add(version: Version): Promise<StateReply<boolean>>
  /** Reads every document, by number. */
  all(): Promise<StateReply<readonly Version[]>>
}

/** A place that keeps the state of sites. */
export interface StateBackend {
  readonly kind: 'file' | 'git' | 'kubernetes' | 'memory' | 'postgres' | 's3'
  /** The name of the place for users, such as `file:.landform`. */
  readonly where: string
  /**
   * Lifetime of a lock that is not renewed, in milliseconds; absent where a lock lasts as long as its process, which
   * can be checked there.
   */
  readonly leaseMs?: number
  /** The guard of a backend that detects dead processes. */
  readonly guard?: Guard
  /** Opens the series of a site, by its base URL. */
  series(site: string): Series
  /** Reads the newest document of at most `max` of the sites that are kept here; where it is cheap, of those written last. */
  newestOfSome(max: number): Promise<StateReply<readonly Version[]>>
}
