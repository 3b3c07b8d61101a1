import type { StateBackend } from '../../state/series.js'
import type { ArgumentsOf, Handler } from '../command.js'
import type * as declared from '../declarations/fleet.js'

/** The commands of the optional package: each prints by itself and answers with its exit code. */
export interface FleetCommands {
  readonly submit: Handler<ArgumentsOf<typeof declared.fleetSubmit>>
  readonly worker: Handler<ArgumentsOf<typeof declared.fleetWorker>>
  readonly status: Handler<ArgumentsOf<typeof declared.fleetStatus>>
  readonly cancel: Handler<ArgumentsOf<typeof declared.fleetCancel>>
  readonly resume: Handler<ArgumentsOf<typeof declared.fleetResume>>
  readonly history: Handler<ArgumentsOf<typeof declared.fleetHistory>>
  readonly prune: Handler<ArgumentsOf<typeof declared.fleetPrune>>
  readonly ui: Handler<ArgumentsOf<typeof declared.fleetUi>>
}

/** What the optional package brings to the program. */
export interface FleetPackage {
  /** Of the package; it fits the program of the same version only, for both are made of the same sources. */
  readonly version: string
  readonly commands: FleetCommands
  /** State in the database with this connection string. Connects when it is first used, and keeps no process alive. */
  postgresBackend(connection: string): StateBackend
}
