import pg from 'pg'
import { toDatabaseError } from '../../../packages/fleet/src/database/database-error.js'
import { postgresBackend } from '../../../packages/fleet/src/state/postgres-backend.js'
import type { RecordedAnswer } from '../../support/answers/recorded.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { rowsOf } from '../../support/postgres-rows.js'
import { placeInDatabase } from '../processes/place.js'
import {
  addedWhile,
  commonSituations,
  outcome,
  type RealServer,
  type Situation,
  site,
} from './real-backend.js'

/** PostgreSQL; the tests have no double of it. */
export const postgreSql: RealServer = {
  recording: 'postgres',
  packages: postgresPackages,
  isHere: async () => postgresIsHere,
  async start() {
    const server = await postgres({ isDurable: true })
    const connection = await server.freshDatabase()
    const [row] = await rowsOf(connection, 'show server_version')
    await prepare(server)
    return {
      server: 'PostgreSQL',
      version: `${row?.['server_version']}`.split(' ')[0] ?? '',
      place: (at, url) => placeInDatabase(at, connection, url),
      situations: situationsOf(server, connection),
      without: {
        'list in pages': 'one query',
        'unavailable (503)': 'it has no such answer',
        'expired (410)': 'a password has no end that a session sees',
        'too large (413, 422)': 'a value may have 1 GB',
        full: 'a full disk: the limit of a database is its disk',
      },
      answers: () => answersOf(server),
      stop: server.stop,
    }
  },
}

const roles = {
  reader: 'may sign in, and nothing else',
  single: 'may connect once',
} as const

const as = (connection: string, role: string, database?: string) => {
  const url = new URL(connection)
  url.username = role
  url.password = 'password-of-a-test'
  if (database !== undefined) url.pathname = `/${database}`
  return url.href
}

/** Creates roles, and a database with tables that Landform did not create. */
async function prepare(server: PostgresServer): Promise<void> {
  for (const role of Object.keys(roles))
    await rowsOf(server.connection(), `create role ${role} login password 'password-of-a-test'`)
  await rowsOf(server.connection(), 'alter role single connection limit 0')
  await rowsOf(server.connection(), 'create database others')
  const others = server.connection('others')
  await rowsOf(others, 'create schema landform')
  await rowsOf(others, 'create table landform.state (nothing int)')
}

function situationsOf(server: PostgresServer, connection: string): readonly Situation[] {
  const open = () => postgresBackend(connection)
  const added = async (at: string) =>
    outcome(await postgresBackend(at).series(`${site}/refused`).add({ serial: 1, text: '{}' }))
  const reported = (words: string, kind = 'unwritable') => `${kind}: ${words}`
  return [
    ...commonSituations(open),
    {
      row: 'place missing (404)',
      expected: reported('the database does not exist'),
      come: () => added(server.connection('missing')),
    },
    {
      row: 'place missing (404)',
      expected: reported('its schema `landform` was not created by Landform', 'foreign'),
      come: () => added(server.connection('others')),
    },
    {
      row: 'wrong credentials (401)',
      expected: reported('the database rejected the user or the password'),
      come: () => added(as(connection, 'landform')),
    },
    {
      row: 'no permission (403)',
      expected: reported('the user lacks permission to read and write'),
      come: () => added(as(connection, 'reader')),
    },
    {
      row: 'too many requests (429)',
      expected: reported('the database accepts no more connections'),
      come: () => added(as(connection, 'single')),
    },
    {
      row: 'server killed and started again',
      expected: 'true 5',
      come: () =>
        addedWhile(open(), 'killed', {
          async meanwhile() {
            await server.kill()
            await server.restart()
          },
        }),
    },
  ]
}

/** Yields the error codes that the backend interprets. */
async function* answersOf(server: PostgresServer): AsyncGenerator<readonly [string, RecordedAnswer]> {
  const connection = await server.freshDatabase()
  await rowsOf(connection, 'create table taken (serial int primary key)')
  await rowsOf(connection, 'insert into taken values (1)')
  const questions: Readonly<Record<string, readonly [connection: string, sql: string]>> = {
    'a wrong password': [as(connection, 'landform'), 'select 1'],
    'a database that does not exist': [server.connection('missing'), 'select 1'],
    'a table that does not exist': [connection, 'select serial from landform.state'],
    'a column that does not exist': [server.connection('others'), 'select serial from landform.state'],
    'a user without permission': [as(connection, 'reader'), 'create schema landform'],
    'no connection is left': [as(connection, 'single'), 'select 1'],
    'a server that only reads': [connection, 'begin read only; create schema other'],
    'a session that was ended': [connection, 'select pg_terminate_backend(pg_backend_pid())'],
    'a number that is taken': [connection, 'insert into taken values (1)'],
  }
  for (const [name, [at, sql]] of Object.entries(questions)) yield [name, await codeOf(at, sql)]
}

async function codeOf(connectionString: string, sql: string): Promise<RecordedAnswer> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(sql)
    throw new Error(`nothing was wrong with ${sql}`)
  } catch (error) {
    const { code, message } = toDatabaseError(error) as { readonly code: string; readonly message: string }
    if (code === undefined) throw error
    return { status: 0, headers: {}, body: { code, message } }
  } finally {
    await client.end().catch(() => undefined)
  }
}
