import type { SiteReader } from '../../client/site-client.js'
import type { LoadedSite, MadePlan, PlanOptions, Site } from '../../library/site.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import type { ReadLines } from '../../report/findings-text.js'
import type { Result } from '../../result.js'
import type { Arguments } from '../command.js'
import type {
  applyOptions,
  lockOption,
  manifestArgument,
  offlineOption,
  policyOption,
  scenarioOption,
  siteOptions,
  stateOption,
  verboseOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import type { TypedCommands } from './next-commands.js'

/** The values of the options about the site. */
export interface SiteArguments
  extends Arguments<typeof siteOptions & typeof scenarioOption & typeof stateOption, typeof manifestArgument>,
    Partial<
      Arguments<typeof verboseOption & typeof policyOption & typeof offlineOption & typeof lockOption>
    > {
  /** False for commands that also work without state if no location is declared. */
  readonly needsState?: boolean
}

/** A manifest with everything that a command needs to read or change its site. */
export interface SiteSession extends LoadedSite, Omit<Site, 'close'> {
  /** A reader that replaces the client, if present. */
  readonly reader?: SiteReader
  readonly readLines: ReadLines
  /** Every file that was read for the session, which no report may replace. */
  readonly inputs: readonly string[]
  /** Commands to type next for the same site. */
  readonly commands: TypedCommands
  close(): Promise<void>
}

export type PlanResult = Result<MadePlan, Failure>

/** The values of the options of an apply, at one site or at many. */
export type ApplyArguments = Arguments<typeof applyOptions>

/** The options of an apply, and the host that it runs on. */
export interface ApplySurroundings {
  readonly argv: ApplyArguments
  readonly host: Host
}

/** A session of a manifest, or of the manifest that a saved plan names. */
export interface PlannedSession extends SiteSession {
  readonly saved: SavedPlan | undefined
  /** The signature beside the saved plan, if there is one. */
  readonly signature: string | undefined
  /** The path of the manifest, as the user would name it. */
  readonly file: string
  /** The file that the user named: the manifest, or the saved plan. */
  readonly given: string
  /** Makes a plan, or checks that the saved one is still valid. */
  plan(options: PlanOptions): Promise<PlanResult>
}
