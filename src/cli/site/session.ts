import type { SiteReader } from '../../client/site-client.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Loaded, MadePlan, PlanOptions, Site } from '../../library/site.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import type { Result } from '../../result.js'
import type { SiteFormat } from '../declarations/options.js'
import type { ExitCode } from '../exit-code.js'
import type { Target } from '../options.js'
import type { Failure, Refusal } from '../terminal/output.js'
import type { TypedCommands } from './next-commands.js'
import type { UrlArguments } from './site-policy.js'

/** The values of the options that say which site, as the command line gives them. */
export interface SiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string
  readonly state: string | undefined
  /** Whether to say how the site is reached; absent for commands that never do. */
  readonly verbose?: boolean
  /** Policy files; absent for commands that plan nothing, which no policy stops. */
  readonly policy?: readonly string[]
  /** Whether the site may not be reached; absent for commands that are of no use without it. */
  readonly offline?: boolean
  /** Whether the command does without state, where nobody says where it is kept. */
  readonly needsState?: boolean
}

/** A manifest with everything around it that a command needs to look at its site, or to change it. */
export interface Session extends Loaded, Site {
  /** Where the token is from; a rehearsal makes one up, for its emulator takes any. */
  readonly tokenFrom: 'manifest' | 'rehearsal' | 'sign-in'
  /** What looks in place of the client; absent where the client itself does. */
  readonly reader?: SiteReader
  readonly linesOf: LinesOf
  /** Every file that it was made from, which no report may replace. */
  readonly inputs: readonly string[]
  /** What a person would type next for the same site. */
  readonly commands: TypedCommands
  close(): Promise<void>
}

/** What could be opened, or why nothing could. */
export type Opened<S = Session> = Result<S, Refusal>

/** The values of the options that ask for a rehearsal. */
export interface RehearsalArguments {
  readonly emulate: boolean
  readonly scenario: readonly string[]
}

export type Made = Result<MadePlan, Failure>

/** The options of what can be applied. */
export interface PlannedArguments extends SiteArguments {
  readonly 'ignore-immutable': readonly string[]
  readonly 'require-signature': string | undefined
  readonly manifest?: string | undefined
}

/** A session of a manifest, or of the manifest that a saved plan names. */
export interface PlannedSession extends Session {
  readonly saved: SavedPlan | undefined
  /** The manifest as the user would name it. */
  readonly file: string
  /** What was named: the manifest, or the saved plan. */
  readonly given: string
  /** Plans; or makes sure that the saved plan still holds. */
  plan(options: PlanOptions): Promise<Made>
}

/** What a command about a site works with. */
export interface Desk<S = Session, F extends string = SiteFormat> {
  readonly session: S
  readonly targets: readonly Target<F>[]
  /** Says why the command cannot go on, and answers with the exit code. */
  refuse(failure: Failure): Promise<ExitCode>
  /** Shows warnings on stderr. */
  warn(diagnostics: readonly Diagnostic[]): void
}

export interface WaitReadyArguments {
  readonly 'wait-ready': string | undefined
  readonly quiet: boolean
}
