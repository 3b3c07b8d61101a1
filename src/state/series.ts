import { createHash } from 'node:crypto'
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
  /** Why it was written, in a few words. Only for adding, in a place that shows titles, such as the commits of git. */
  readonly title?: string
}

/** A site as its manifest declares it. */
export interface NamedSite {
  /** Base URL. */
  readonly url: string
  /** `metadata.name`; absent where the address alone is known. */
  readonly name?: string | undefined
}

/** A site with the manifest that declares it. */
export interface DeclaredSite extends NamedSite {
  /** Identifies the manifest in every clone of its repository; absent for one without a path, such as standard input. */
  readonly manifest?: string | undefined
}

/** A document to create in the series of a site. */
export interface Addition {
  readonly site: string
  readonly version: Version
}

/** Checks a document before another one is asked for: a server may answer every request with a page of its own. */
export type CheckVersion = (version: Version) => StateReply<unknown>

/**
 * The documents of one site in order. Creating the next number is what excludes other runs: of several that try, on one
 * machine or on many, exactly one succeeds.
 */
export interface Series {
  /** The place of the documents, as the user would name it. */
  readonly where: string
  /** Reads the document with the highest number; `undefined` only if no document exists. */
  newest(check?: CheckVersion): Promise<StateReply<Version | undefined>>
  /** Creates a document durably before it returns; false where its number is taken. */
  add(version: Version): Promise<StateReply<boolean>>
  /** Reads every document, by number; with `last`, only that many of the highest numbers, or more. */
  all(check?: CheckVersion, last?: number): Promise<StateReply<readonly Version[]>>
}

/** A place that keeps the state of sites. */
export interface StateBackend {
  /** A word for the kind of place; for one that a manifest can name, the word before its colon. */
  readonly kind: string
  /** True for state that does not last: this machine notes no submission intent beside it. */
  readonly isTemporary?: boolean
  /** The name of the place for users, such as `file:.landform`. */
  readonly where: string
  /**
   * Lifetime of a lock that is not renewed, in milliseconds; absent where a lock lasts as long as its process, which
   * can be checked there.
   */
  readonly leaseMs?: number
  /** The guard of a backend that detects dead processes. */
  readonly guard?: Guard
  /** Finds the address that the name of the place leads to from here, without credentials; absent where the name has it. */
  address?(): Promise<string | undefined>
  /** Opens the series of a site, by its base URL. */
  series(site: string): Series
  /**
   * Creates documents of several series, and returns how many of them, in this order: all or none where the place can do
   * that. Absent where each costs as much as if it were created by itself.
   */
  addTogether?(additions: readonly Addition[]): Promise<StateReply<number>>
}

/**
 * Makes a name for the state of a site that is valid for a folder and for a git ref: its host, and a digest of the
 * whole address, since two sites may share a host.
 */
export function siteKey(site: string): string {
  // git rejects names with two dots in a row or one at the start, and a file system rejects names that are too long.
  const host = new URL(site).host
    .replaceAll(/[^A-Za-z0-9.-]/g, '_')
    .replaceAll(/^\.|\.(?=\.)/g, '_')
    .slice(0, 100)
  return `${host}-${createHash('sha256').update(site).digest('hex').slice(0, 12)}`
}
