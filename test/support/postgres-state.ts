import { type Database, openDatabase } from '../../packages/fleet/src/database/database.js'
import { type FleetSession, openSession } from '../../packages/fleet/src/database/session.js'
import { createStateBackend } from '../../packages/fleet/src/state/postgres-backend.js'
import type { StateStore } from '../../src/state/ports.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { atEnd } from './at-end.js'
import { type PostgresServer, postgres } from './postgres.js'
import { statePortsFor } from './some-state.js'

/** State in a database. */
export interface PostgresState {
  readonly server: PostgresServer
  readonly connection: string
  /** For queries beyond the backend. */
  readonly database: Database
  /** Deletes the state, and closes the connections of runs. */
  empty(): Promise<void>
  /** Starts a run with the lease of a process. */
  run(): PostgresRun
}

/** A run that acts as a separate process. */
interface PostgresRun {
  readonly backend: StateBackend
  store(site: string): StateStore
  session(): Promise<FleetSession>
}

/** Starts a server and creates the tables. */
export async function postgresState(): Promise<PostgresState> {
  const server = await postgres()
  const connection = await server.freshDatabase()
  const open: (Database | FleetSession)[] = []
  const opened = <T extends Database | FleetSession>(one: T): T => {
    open.unshift(one)
    return one
  }
  const database = openDatabase(connection)
  let runs = 0
  const close = async () => {
    for (const one of open.splice(0)) await one.close()
  }
  atEnd(async () => {
    await close()
    await database.close()
  })
  return {
    server,
    connection,
    database,
    async empty() {
      await close()
      runs = 0
      await database.rows('truncate landform.state, landform.session, landform.hold')
    },
    run() {
      runs += 1
      const id = `run ${runs}`
      const holder = { host: id, pid: 1 }
      const own = opened(openDatabase(connection))
      let session: Promise<FleetSession> | undefined
      const begin = async () => {
        const begun = await openSession(own, {
          id,
          kind: 'run',
          holder,
          // Long enough that no lease expires during a test.
          leaseMs: 600_000,
        })
        if (begun === undefined) throw new Error(`${id} is taken`)
        return opened(begun)
      }
      const once = () => {
        session ??= begin()
        return session
      }
      const backend = createStateBackend(own, { session: once })
      const ports = statePortsFor(Date.now, { self: async () => holder })
      return { backend, store: site => stateStore(backend, { url: site }, ports), session: once }
    },
  }
}
