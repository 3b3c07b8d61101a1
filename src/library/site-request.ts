import type { Clock } from '../apply/clock.js'
import type { SiteWriter } from '../client/site-client.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { SavedPlan } from '../plan/saved/saved-plan.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenProvider } from '../secrets/token-provider.js'
import type { StateBackend } from '../state/series.js'

/** Replacements for the clock, the network and the files. The real ones are used for those that are absent. */
export interface SitePorts {
  /** Replaces the client for the address of the site. */
  readonly client?: SiteWriter
  /** Replaces the environment and the files below the manifest. */
  readonly secrets?: SecretSource
  /** Replaces the token that the manifest names, and any sign-in. */
  readonly provideToken?: TokenProvider
  readonly clock?: Clock
  /** A number from 0 to 1, to spread polls. */
  random?(): number
}

/** The request of a program for a site. Nothing of the process is read that the program does not pass. */
export interface SiteRequest {
  /** The path of the manifest. */
  readonly file: string
  /** The text of the manifest, where the program has it; relative paths in it start from the folder of `file`. */
  readonly text?: string
  /** The environment for references to secrets and for the conventional proxy variables; `{}` unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The address to call instead of the one in the manifest. */
  readonly url?: string
  /** Origins that requests may go to; all unless given. */
  readonly allowedOrigins?: readonly string[]
  /** A second folder for files that the manifest names: one missing below `root` is read below `instead`. */
  readonly elsewhere?: { readonly root: string; readonly instead: string }
  /** Policy files in addition to those around the manifest. */
  readonly policies?: readonly string[]
  /** The backend for state, instead of the location in the manifest; without it PostgreSQL cannot be opened. */
  readonly state?: StateBackend
  /** Allows creating a site with state in a folder although the environment has `CI`, because the disk lasts. */
  readonly acceptLocalState?: boolean
  /**
   * A saved plan to perform as it was reviewed. It is compared with the plan that the manifest and the site lead to
   * now, and is stale if they differ.
   */
  readonly saved?: SavedPlan
  /** The signature of the saved plan, where a policy requires one. */
  readonly signature?: string
  /** Fields whose edits are left out, since no operation can apply them. */
  readonly ignoreImmutable?: readonly JsonPointer[]
  readonly ports?: SitePorts
  /** Stops reading the site. */
  readonly signal?: AbortSignal
}
