import { connectionString, type ExitCode, exitCodes, type Failure, type Host, sayFailure } from 'landform/cli'
import { type Database, DatabaseError, type DatabaseOptions, openDatabase } from '../database/database.js'
import { createFleetStore, type FleetStore } from '../database/fleet-store.js'
import { describeDatabaseError } from '../database/reason.js'

/** The database of a fleet, for one command. */
export interface OpenFleet {
  readonly database: Database
  readonly store: FleetStore
  /** For the engine, which opens its own connections. It holds a password and is never shown. */
  readonly connection: string
}

export interface OpenOptions extends Omit<DatabaseOptions, 'applicationName'> {
  /** Reports a failure of the command. Default: on stderr only. */
  refuse?(failure: Failure): Promise<ExitCode>
}

/**
 * Opens the database that the command line names while work runs. Reports an unusable database or a missing connection
 * string.
 */
export async function withFleetDatabase(
  { database: option, host }: { readonly database: string; readonly host: Host },
  work: (open: OpenFleet) => Promise<ExitCode>,
  { refuse = async failure => sayFailure(host, failure, 'never'), ...options }: OpenOptions = {},
): Promise<ExitCode> {
  const found = await connectionString('database', option, host)
  if (!found.ok) return refuse(found.error)
  const { value: connection } = found
  const database = openDatabase(connection, { applicationName: 'landform', ...options })
  try {
    return await work({ database, store: createFleetStore(database), connection })
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return await refuse({
      exitCode: exitCodes.state,
      message: `${database.where} cannot be used: ${describeDatabaseError(error)}`,
      next: 'fix the cause (see the table in docs/fleet-runbook.md), then run the same command again',
    })
  } finally {
    await database.close()
  }
}
