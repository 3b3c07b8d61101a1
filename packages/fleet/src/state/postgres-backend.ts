import { randomUUID } from 'node:crypto'
import { thisProcess } from '../../../../src/state/process-identity.js'
import type { Series, StateBackend, Version } from '../../../../src/state/series.js'
import { type Database, openDatabase, type Row } from '../database/database.js'
import { openSession, type Session } from '../database/session.js'
import { type Asked, patiently } from './patiently.js'
import { type Lease, postgresGuard } from './postgres-guard.js'

/** A run that is silent for this time, in milliseconds, loses its site. */
const leaseMs = 30_000

/**
 * Maximum number of state documents of other sites that an apply reads for its estimate: all of a thousand sites would be
 * gigabytes.
 */
const mostDocuments = 100

const backends = new Map<string, StateBackend>()

/**
 * Opens the state backend of a database. Its session, which holds the sites, begins with the first site. A process has one
 * backend per database.
 */
export function postgresBackend(connection: string): StateBackend {
  const backend = backends.get(connection) ?? backendOver(connection)
  backends.set(connection, backend)
  return backend
}

function backendOver(connection: string): StateBackend {
  const database = openDatabase(connection, { applicationName: 'landform', most: 3 })
  let session: Promise<Session> | undefined
  const begin = async () => {
    const holder = await thisProcess()
    const begun = await openSession(database, { id: randomUUID(), kind: 'run', holder, leaseMs })
    if (begun === undefined) throw new Error('the id of a session was taken, though nobody guesses it')
    return begun
  }
  return stateIn(database, {
    session() {
      session ??= begin()
      return session
    },
    async rest() {
      const former = session
      session = undefined
      // A failed start was reported to its caller.
      await former?.then(
        begun => begun.close(),
        () => undefined,
      )
    },
  })
}

/** Creates the backend over an open database, with the session of the process. */
export function stateIn(database: Database, lease: Lease): StateBackend {
  const { where } = database
  const runQuery = patiently(where)
  return {
    kind: 'postgres',
    where,
    guard: postgresGuard({ database, lease, asked: runQuery }),
    series: site => seriesOf(site, { database, asked: runQuery }),
    newestOfAll: () =>
      runQuery('unreadable', async () =>
        (
          await database.rows(
            `select distinct on (site) serial, body from
             (select * from landform.state order by written_at desc limit $1) as latest order by site, serial desc`,
            [mostDocuments],
          )
        ).map(versionOf),
      ),
  }
}

interface Ways {
  readonly database: Database
  readonly asked: Asked
}

function seriesOf(site: string, { database, asked: runQuery }: Ways): Series {
  return {
    where: `${database.where} ${site}`,
    newest: () =>
      runQuery('unreadable', async () => {
        const [row] = await database.rows(
          'select serial, body from landform.state where site = $1 order by serial desc limit 1',
          [site],
        )
        return row && versionOf(row)
      }),
    async add(version) {
      // An insert whose response was lost is repeated, and must recognize itself.
      const by = randomUUID()
      const added = await runQuery('unwritable', () => insert({ ...version, site, by }, database))
      if (!added.ok || added.value !== 'gap')
        return added.ok ? { ok: true, value: added.value === by } : added
      const reason = { kind: 'missing-version', serial: version.serial - 1 } as const
      return { ok: false, error: { kind: 'damaged', where: database.where, reason } }
    },
    all: () =>
      runQuery('unreadable', async () =>
        (
          await database.rows('select serial, body from landform.state where site = $1 order by serial', [
            site,
          ])
        ).map(versionOf),
      ),
  }
}

type NewVersion = Version & { readonly site: string; readonly by: string }

/**
 * Inserts a version and returns the id of its author: the primary key is the compare-and-swap. Returns `gap` if the
 * previous version is missing.
 */
async function insert({ site, serial, text, by }: NewVersion, database: Database): Promise<unknown> {
  const added = await database.rows(
    `insert into landform.state (site, serial, body, made_by) select $1, $2::int, $3, $4
     where $2 = 1 or exists (select from landform.state where site = $1 and serial = $2 - 1)
     on conflict do nothing returning serial`,
    [site, serial, Buffer.from(text), by],
  )
  if (added.length > 0) return by
  const [row] = await database.rows('select made_by from landform.state where site = $1 and serial = $2', [
    site,
    serial,
  ])
  return row === undefined ? 'gap' : row['made_by']
}

function versionOf(row: Row): Version {
  return { serial: row['serial'] as number, text: (row['body'] as Buffer).toString('utf8') }
}
