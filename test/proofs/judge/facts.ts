import type { Version } from '../../../src/state/series.js'
import type { StateReply } from '../../../src/state/state-failure.js'

/**
 * The facts about one site after one run. They come from the counters of the service, from the stored texts and from the
 * output, never from what the code under test reports about itself. Facts that a world cannot observe are absent.
 */
export interface Facts {
  readonly site?: SiteFacts
  readonly state?: StateFacts
  readonly run?: RunFacts
  readonly versions?: VersionFacts
  /** Secrets that were found outside their sources, each with its place. */
  readonly secrets?: readonly string[]
  /** Requests that reached any server but the bound site. */
  readonly elsewhere?: readonly string[]
  /** The event logs of two runs with the same seed. */
  readonly logs?: readonly [readonly string[], readonly string[]]
}

/** Counts of the requests that arrived, and of those that the service accepted. */
export interface Requests {
  readonly received: number
  readonly accepted: number
}

/** The site, with counts of every `configure` that it received. */
export interface SiteFacts extends Requests {
  readonly state: 'not-configured' | 'in-progress' | 'ready' | 'failed'
  /** Requests that a proxy repeated; no client could prevent them. */
  readonly doubled?: number
  /** True if the site has the policy of the manifest. */
  readonly hasPolicy: boolean
}

/** The versions of the state, read without the code under test. */
export interface StateFacts {
  /** Each state of the submission, in order. */
  readonly journal: readonly string[]
  /** The reason why the versions do not form a chain. */
  readonly damage?: string
  /** True if the record has the organization and the policy of the manifest. */
  readonly isRecorded: boolean
}

/** One run of the program. */
export interface RunFacts {
  readonly command: 'apply' | 'plan' | 'status' | 'exportSite' | 'deleteAll'
  readonly exitCode: number | 'crashed'
  /** The kind of its outcome. */
  readonly outcome: string
  /** Its own requests, of the kind that the command sends; absent if other runs sent requests at the same time. */
  readonly sent?: Requests
  /** The number of its requests that change a site, of any kind. */
  readonly changes?: number
  /** The claims of its report. */
  readonly report?: { readonly exitCode: unknown; readonly sent: unknown }
  /** Everything that it printed. */
  readonly printed?: string
}

/** Versions that were written without an apply. */
export interface VersionFacts {
  /** The number of versions that writers reported as made. */
  readonly made: number
  readonly kept: StateReply<readonly Version[]>
  textOf(serial: number): string
}

/** Subtracts counters, for the requests of one run. */
export function since(now: Requests, before: Requests): Requests {
  return { received: now.received - before.received, accepted: now.accepted - before.accepted }
}
