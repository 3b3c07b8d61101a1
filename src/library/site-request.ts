import type { Clock } from '../apply/clock.js'
import type { SiteWriter } from '../client/site-client.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { SavedPlan } from '../plan/saved/saved-plan.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenProvider } from '../secrets/token-provider.js'
import type { StateBackend } from '../state/series.js'

/** What a program may put in place of the world. What it leaves out is the real one. */
export interface SitePorts {
  /** In place of the client for the address of the site. */
  readonly client?: SiteWriter
  /** In place of the environment and of the files below the manifest. */
  readonly secrets?: SecretSource
  /** In place of the token that the manifest names; then nobody signs in either. */
  readonly provideToken?: TokenProvider
  readonly clock?: Clock
  /** A number from 0 to 1, to spread polls. */
  random?(): number
}

/** What a program says of a site. Nothing of the process is read that it does not hand over. */
export interface SiteRequest {
  /** The path of the manifest. */
  readonly file: string
  /** The manifest itself, where it is at hand; the path then says where it belongs. */
  readonly text?: string
  /** Where references to secrets and the conventional variables of proxies are looked up; `{}` unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The address to call in place of the one in the manifest. */
  readonly url?: string
  /** Origins that requests may go to; all unless given. */
  readonly allowedOrigins?: readonly string[]
  /** Where files that the manifest names are looked for, at the same path, when `root`, which it lies in, lacks them. */
  readonly elsewhere?: { readonly root: string; readonly instead: string }
  /** Policy files beside those around the manifest. */
  readonly policies?: readonly string[]
  /** Where state is kept, in place of what the manifest declares; without it PostgreSQL cannot be opened. */
  readonly state?: StateBackend
  /** Create a site with state in a folder although the environment has `CI`: the disk lasts. */
  readonly acceptLocalState?: boolean
  /**
   * A plan that was saved, to be performed as it was reviewed: it is compared with what the manifest and the site lead to now, and
   * is stale where they lead to anything else.
   */
  readonly saved?: SavedPlan
  /** Fields whose edits are left out, though nothing can carry them out. */
  readonly ignoreImmutable?: readonly JsonPointer[]
  readonly ports?: SitePorts
  /** Stops the looking. */
  readonly signal?: AbortSignal
}
