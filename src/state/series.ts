import { createHash } from 'node:crypto'
import type { Holder } from '../plan/submission.js'
import type { StateReply } from './state-failure.js'

/**
 * Holds sites for runs independently of their versions, in a backend that detects dead processes. While a run holds a
 * site here, a lock in the versions can only belong to a dead run.
 */
export interface Guard {
  /** Takes a site for one run, or returns its holder. */
  take(site: string, purpose: string): Promise<StateReply<GuardReply>>
  /** Finds the holder of a site; `undefined` if no living process holds it. */
  holder(site: string): Promise<StateReply<GuardHolder | undefined>>
}

export type GuardReply =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'locked'; readonly by: GuardHolder }

/** The holder of a site, even if no version names it. */
export interface GuardHolder {
  /** Identifies this hold. */
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
  /** The reason for the version, in a few words. Used only by `add`, where a place shows titles, such as git commits. */
  readonly title?: string
}

/** A site as its manifest declares it. */
export interface NamedSite {
  /** Base URL. */
  readonly url: string
  /** `metadata.name`; absent if only the address is known. */
  readonly name?: string | undefined
}

/** A site with the manifest that declares it. */
export interface DeclaredSite extends NamedSite {
  /** Identifies the manifest in every clone of its repository; absent for a manifest without a path, such as standard input. */
  readonly manifest?: string | undefined
}

/** A document to create in the series of a site. */
export interface Addition {
  readonly site: string
  readonly version: Version
}

/** Checks a document before the next one is requested, because a server may answer every request with the same page. */
export type CheckVersion = (version: Version) => StateReply<unknown>

/**
 * The documents of one site in order. Creating the next number excludes other runs: of several concurrent runs, on one
 * machine or many, exactly one succeeds.
 */
export interface Series {
  /** The place of the documents, as the user would name it. */
  readonly where: string
  /** Reads the document with the highest number; `undefined` only if no document exists. */
  newest(check?: CheckVersion): Promise<StateReply<Version | undefined>>
  /** Creates a document, durably before it returns; false if its number is taken. */
  add(version: Version): Promise<StateReply<boolean>>
  /** Reads every document, by number. With `last`, reads at least that many of the highest numbers. */
  all(check?: CheckVersion, last?: number): Promise<StateReply<readonly Version[]>>
}

/** A place that keeps the state of sites. */
export interface StateBackend {
  /** The kind of place; for a kind that a manifest can name, the text before the colon. */
  readonly kind: string
  /** True for state that ends with the process: this machine notes no submission intent for it. */
  readonly isTemporary?: boolean
  /** The name of the place for users, such as `file:.landform`. */
  readonly where: string
  /**
   * Lifetime of a lock that is not renewed, in milliseconds. Absent if a lock lasts as long as its process, because the
   * backend can check the process.
   */
  readonly leaseMs?: number
  /** The guard of a backend that detects dead processes. */
  readonly guard?: Guard
  /** Finds the address to which the name of the place leads from here, without credentials; absent if the name contains it. */
  address?(): Promise<string | undefined>
  /** Opens the series of a site, identified by its base URL. */
  series(site: string): Series
  /**
   * Creates documents of several series, and returns the number created, in this order: all or none if the place
   * supports that. Absent if it would not be faster than creating them one by one.
   */
  addTogether?(additions: readonly Addition[]): Promise<StateReply<number>>
}

/**
 * Returns the name of a site's state, valid for a folder and for a git ref: its host, and a digest of the whole
 * address, because two sites may share a host.
 */
export function siteKey(site: string): string {
  // git rejects names with two dots in a row or a dot at the start, and a file system rejects long names.
  const host = new URL(site).host
    .replaceAll(/[^A-Za-z0-9.-]/g, '_')
    .replaceAll(/^\.|\.(?=\.)/g, '_')
    .slice(0, 100)
  return `${host}-${createHash('sha256').update(site).digest('hex').slice(0, 12)}`
}
