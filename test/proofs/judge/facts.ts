import type { Version } from '../../../src/state/series.js'
import type { StateReply } from '../../../src/state/state-failure.js'

/**
 * The facts about one site after one run. They come from the counters of the service, from the stored texts and from the
 * output, never from what the code under test reports about itself. A world leaves out the facts that it cannot observe.
 */
export interface Facts {
  readonly site?: SiteFacts
  readonly state?: StateFacts
  readonly run?: RunFacts
  readonly versions?: VersionFacts
  /** Secrets that were found outside their sources, each with its place. */
  readonly secrets?: readonly string[]
  /** Requests that reached anybody but the bound site. */
  readonly elsewhere?: readonly string[]
  /** The event logs of two runs with the same seed. */
  readonly logs?: readonly [readonly string[], readonly string[]]
}

/** Counts requests: those that arrived, and those that the service accepted. */
export interface Requests {
  readonly received: number
  readonly accepted: number
}

/** The site, with every `configure` that it ever got. */
export interface SiteFacts extends Requests {
  readonly state: 'not-configured' | 'in-progress' | 'ready' | 'failed'
  /** Requests that a proxy repeated; no client could prevent them. */
  readonly doubled?: number
  /** Whether the site has the policy of the manifest. */
  readonly hasPolicy: boolean
}

/** The versions of the state, read without the code under test. */
export interface StateFacts {
  /** Each state of the submission, in order. */
  readonly journal: readonly string[]
  /** Why the versions do not form a chain. */
  readonly damage?: string
  /** Whether the record has the organization and the policy of the manifest. */
  readonly isRecorded: boolean
}

/** One run of the program. */
export interface RunFacts {
  readonly command: 'apply' | 'plan' | 'status' | 'exportSite' | 'deleteAll'
  readonly exitCode: number | 'crashed'
  /** The kind of its outcome. */
  readonly outcome: string
  /** Its own requests, of the kind that the command sends; absent where other runs sent some at the same time. */
  readonly sent?: Requests
  /** Its requests of every kind that changes a site. */
  readonly changes?: number
  /** What its report claims. */
  readonly report?: { readonly exitCode: unknown; readonly sent: unknown }
  /** Everything that it printed. */
  readonly printed?: string
}

/** Versions that writers made without an apply. */
export interface VersionFacts {
  /** How many of them a writer reported as made. */
  readonly made: number
  readonly kept: StateReply<readonly Version[]>
  textOf(serial: number): string
}

/** Subtracts counters, for the requests of one run. */
export function since(now: Requests, before: Requests): Requests {
  return { received: now.received - before.received, accepted: now.accepted - before.accepted }
}
