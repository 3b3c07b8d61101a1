import type { Holder } from '../plan/submission.js'
import type { StateReply } from './state-failure.js'

/**
 * Has sites for runs beside what their versions say, where a place knows by itself when a process is gone: who has a site
 * has it alone, and a lock that stands in a version then is of a run that has died.
 */
export interface Guard {
  /** Takes a site for one run, or tells who has it. */
  take(site: string, purpose: string): Promise<StateReply<GuardReply>>
  /** Who has a site; `undefined` where no living process has. */
  holder(site: string): Promise<StateReply<GuardHolder | undefined>>
}

export type GuardReply =
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

/** One document of a series. It is made once and never changed. */
export interface Version {
  /** Counts from 1, without gaps. */
  readonly serial: number
  readonly text: string
}

/**
 * The documents of one site, one after the other. Making the next number is what excludes other runs: of several that
 * try, on one machine or on many, one alone succeeds.
 */
export interface Series {
  /** Where the documents are, as the user would name it. */
  readonly where: string
  /** The one with the highest number; `undefined` where there is none, never because one could not be read. */
  newest(): Promise<StateReply<Version | undefined>>
  /** Makes a document durably, before it answers; false where its number is taken. */
  add(version: Version): Promise<StateReply<boolean>>
  /** Every document that is there, by number. */
  all(): Promise<StateReply<readonly Version[]>>
}

/** A place that keeps the state of sites. */
export interface StateBackend {
  readonly kind: 'file' | 'git' | 'memory' | 'postgres'
  /** As the user would name it, such as `file:.landform`. */
  readonly where: string
  /** How long a lock lasts that is not renewed; absent where it lasts as long as its process, which can be told there. */
  readonly leaseMs?: number
  /** Where the place itself knows who has a site. */
  readonly guard?: Guard
  /** The series of a site, by its base URL. */
  series(site: string): Series
  /** The newest document of every site that is kept here; of thousands, those that were written last. */
  newestOfAll(): Promise<StateReply<readonly Version[]>>
}
