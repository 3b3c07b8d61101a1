import type { StateBackend } from '../../state/series.js'
import type { Argument, Arguments, Options } from '../command.js'
import type { ExitCode } from '../exit-code.js'
import type { Host } from '../host.js'
import type * as options from './options.js'

type Run<O extends Options, A extends Argument = never> = (
  argv: Arguments<O, A>,
  host: Host,
) => Promise<ExitCode>

/** What the optional package brings to the program: each command prints by itself and answers with its exit code. */
export interface FleetPackage {
  /** Of the package; it fits the program of the same version only, for both are made of the same sources. */
  readonly version: string
  readonly commands: {
    readonly submit: Run<typeof options.submitOptions, typeof options.filesArgument>
    readonly worker: Run<typeof options.workerOptions>
    readonly status: Run<typeof options.fleetStatusOptions, typeof options.sitesArgument>
    readonly cancel: Run<typeof options.cancelOptions, typeof options.sitesArgument>
    readonly resume: Run<typeof options.resumeOptions, typeof options.sitesArgument>
    readonly history: Run<typeof options.historyOptions, typeof options.siteArgument>
    readonly prune: Run<typeof options.pruneOptions>
    readonly ui: Run<typeof options.uiOptions>
  }
  /** State in the database with this connection string. Connects when it is first used, and keeps no process alive. */
  postgresBackend(connection: string): StateBackend
}
