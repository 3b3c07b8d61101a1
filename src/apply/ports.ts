import type { SiteWriter } from '../client/site-writer.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { RecordStore } from '../state/record-store.js'

/** Time as an apply sees it. */
export interface Clock {
  /** Milliseconds since 1970, for what people read. */
  now(): number
  /** Milliseconds that only grow, for what is measured: the wall clock may jump. */
  monotonicMs(): number
  /** Resolves after the time, or at once when the signal comes; never rejects. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Everything an apply reaches outside itself. */
export interface Ports {
  readonly client: SiteWriter
  readonly secrets: SecretSource
  readonly records: RecordStore
  readonly clock: Clock
  /** A number from 0 to 1, to spread polls. */
  random(): number
}

/** How long to wait, and how. */
export interface Patience {
  /** The longest that the waiting for `ready` may take. */
  readonly timeoutMs: number
  /** Time between two looks at the site. */
  readonly pollMs: number
}
