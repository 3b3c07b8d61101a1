import type { PodPlacementPolicy } from '../manifest/manifest.js'

/** One stage as the service reports it; `state` and `name` are its words, known or not. Service §2.3. */
export interface StageRecord {
  readonly name: string
  readonly state: string
  /** Milliseconds since 1970 by the clock of the service; for display only. */
  readonly startTime?: number
  readonly lastUpdated?: number
}

/** A value that the site may or may not be able to tell. */
export type Readable<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'unreadable' }

/** What the root resource said beside the state. */
export interface SiteFacts {
  /** `fullVersion`, as the site spells it. */
  readonly version?: string
  readonly message?: string
  readonly warnings: readonly string[]
  readonly stages: readonly StageRecord[]
}

/**
 * What a site is, as far as its root resource tells. `unrecognized` stands for every state that the service
 * document does not show and the field notes do not know: it is never taken for another. Service §2.3, §3.
 */
export type Observation =
  | ({ readonly kind: 'not-configured' } & SiteFacts)
  | ({ readonly kind: 'in-progress' } & SiteFacts)
  | ({ readonly kind: 'ready'; readonly policy: Readable<PodPlacementPolicy> } & SiteFacts)
  | ({ readonly kind: 'failed' } & SiteFacts)
  | ({ readonly kind: 'unrecognized'; readonly state: string } & SiteFacts)
