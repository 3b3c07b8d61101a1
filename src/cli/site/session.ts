import type { SiteReader } from '../../client/site-client.js'
import type { LoadedSite, MadePlan, PlanOptions, Site } from '../../library/site.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import type { ReadLines } from '../../report/findings-text.js'
import type { Result } from '../../result.js'
import type { Failure } from '../terminal/output.js'
import type { TypedCommands } from './next-commands.js'
import type { UrlArguments } from './site-policy.js'

/** The values of the options that say which site, as the command line gives them. */
export interface SiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string
  readonly state: string | undefined
  /** True to print the route to the site; absent for commands that never do. */
  readonly verbose?: boolean
  /** Policy files; absent for commands that plan nothing, which no policy stops. */
  readonly policy?: readonly string[]
  /** True if the site must not be contacted; absent for commands that need it. */
  readonly offline?: boolean
  /** False for commands that work without state where no location is declared. */
  readonly needsState?: boolean
}

/** A manifest with everything that a command needs to read or change its site. */
export interface SiteSession extends LoadedSite, Omit<Site, 'close'> {
  /** A reader that replaces the client; absent where the client itself reads. */
  readonly reader?: SiteReader
  readonly readLines: ReadLines
  /** Every file that it was made from, which no report may replace. */
  readonly inputs: readonly string[]
  /** Commands to type next for the same site. */
  readonly commands: TypedCommands
  close(): Promise<void>
}

/** The values of the options that ask for a rehearsal. */
export interface RehearsalArguments {
  readonly emulate: boolean
  readonly scenario: readonly string[]
}

export type PlanResult = Result<MadePlan, Failure>

/** The options of what can be applied. */
export interface PlannedArguments extends SiteArguments {
  readonly 'ignore-immutable': readonly string[]
  readonly 'require-signature': string | undefined
  readonly manifest?: string | undefined
}

/** A session of a manifest, or of the manifest that a saved plan names. */
export interface PlannedSession extends SiteSession {
  readonly saved: SavedPlan | undefined
  /** The signature beside the saved plan, if there is one. */
  readonly signature: string | undefined
  /** The manifest as the user would name it. */
  readonly file: string
  /** The file as named: the manifest, or the saved plan. */
  readonly given: string
  /** Plans; or makes sure that the saved plan still holds. */
  plan(options: PlanOptions): Promise<PlanResult>
}

export interface WaitReadyArguments {
  readonly 'wait-ready': string | undefined
  readonly quiet: boolean
}
