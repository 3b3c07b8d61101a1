import { type Result, type StateStore, stateStore } from 'landform'
import {
  type ArgumentsOf,
  checkReports,
  connectionString,
  type ExitCode,
  emit,
  exitCodes,
  type Failure,
  fail,
  fleetFormats,
  type fleetHistory,
  type Host,
  jsonText,
  paintFor,
  parseTargets,
  sayFailure,
  worstExitCode,
} from 'landform/cli'
import type { Paint } from 'landform/report'
import { statePorts } from 'landform/sites'
import { type DatabaseOptions, openDatabase } from '../database/database.js'
import { DatabaseError, describeDatabaseError } from '../database/database-error.js'
import { createFleetStore } from '../database/fleet-store.js'
import type { FleetTables } from '../database/view.js'
import { createStateBackend } from '../state/postgres-backend.js'

interface OpenOptions extends DatabaseOptions {
  /** Reports a failure of the command. Default: on stderr only. */
  refuse?(failure: Failure): Promise<ExitCode>
}

/** The exit code of a command, or a failure to report. */
export type CommandEnd = Result<ExitCode, Failure>

/** Does work with the database that the command line names. Reports every failure, including an unusable database. */
export async function withFleetDatabase(
  argv: Pick<ArgumentsOf<typeof fleetHistory>, 'database' | 'color'>,
  host: Host,
  work: (open: FleetTables) => Promise<CommandEnd>,
  { refuse = async failure => sayFailure(host, failure, argv.color), ...options }: OpenOptions = {},
): Promise<ExitCode> {
  const found = await connectionString('database', argv.database, host)
  if (!found.ok) return refuse(found.error)
  const database = openDatabase(found.value, options)
  try {
    const end = await work({ database, store: createFleetStore(database) })
    return end.ok ? end.value : await refuse(end.error)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return await refuse({
      exitCode: error.code === 'LANDFORM_UNVERIFIED' ? exitCodes.refused : exitCodes.state,
      message: `${database.where} cannot be used: ${describeDatabaseError(error)}`,
      next: ['fix the cause (see the table in docs/fleet-runbook.md), then run the same command again'],
    })
  } finally {
    await database.close()
  }
}

interface FleetReport {
  readonly exitCode: ExitCode
  readonly document: object
  text(paint: Paint): string
  readonly next?: string | undefined
}

/** Prints a report on the fleet as text or JSON. */
export async function reportFleet(
  argv: Pick<ArgumentsOf<typeof fleetHistory>, 'database' | 'color' | 'format' | 'quiet'>,
  host: Host,
  read: (open: FleetTables) => Promise<Result<FleetReport, Failure>>,
): Promise<ExitCode> {
  const { color, quiet } = argv
  const targets = parseTargets(argv.format, fleetFormats)
  const files = targets.map(({ file }) => file)
  await checkReports(files, [])
  const refuse = (failure: Failure) => fail(host, failure, { targets, color, readLines: () => undefined })
  const work = async (open: FleetTables): Promise<CommandEnd> => {
    const found = await read(open)
    if (!found.ok) return found
    const { exitCode, document, text, next } = found.value
    const written = await emit(host, targets, (format, toFile) =>
      format === 'json' ? jsonText(document) : text(paintFor('stdout', toFile ? 'never' : color)),
    )
    if (next !== undefined && !quiet) host.stderr.print(`next: ${next}\n`)
    return { ok: true, value: worstExitCode([exitCode, written ? exitCodes.done : exitCodes.state]) }
  }
  return withFleetDatabase(argv, host, work, { refuse })
}

/** Opens the state of a site for reading only, so it needs no session to hold the site. */
export function openSiteState(site: string, { database }: FleetTables, host: Host): StateStore {
  const lease = { session: () => Promise.reject(new Error('a store for reading cannot hold a site')) }
  return stateStore(createStateBackend(database, lease), { url: site }, statePorts(host.clock))
}
