import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { adaptConnectionString } from '../../packages/fleet/src/database/connection.js'
import { openDatabase } from '../../packages/fleet/src/database/database.js'
import { httpDouble } from '../support/http-double.js'

/** The message with which PostgreSQL requests the password in plain text. */
const asksInClear = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

test.each([
  ['a query', (database: ReturnType<typeof openDatabase>) => database.rows('select 1')],
  ['a separate connection', (database: ReturnType<typeof openDatabase>) => database.openConnection(5000)],
])('a server that requests the password in plain text gets none without TLS, by %s', async (_, ask) => {
  const server = await httpDouble([{ on: 'bytes', reply: [asksInClear] }])
  const connection = `postgres://landform:pa55word-of-a-database@127.0.0.1:${server.port}/x`
  const database = openDatabase(connection)
  await expect(ask(database)).rejects.toMatchObject({ name: 'DatabaseError', code: 'ERR_SSL' })
  await server.closed(0)
  await database.close()
  expect(server.received.join()).toContain('landform')
  expect(server.received.join()).not.toContain('pa55word')
})

test.each([
  ['postgres://db.example.org/x', 'verified'],
  ['postgres://db.example.org/x?', 'verified'],
  ['postgres://u:p@db.example.org/x#y', 'verified'],
  ['postgres://db.example.org/x?connect_timeout=5', 'verified'],
  ['postgres://db.example.org/x?sslmode=', 'verified'],
  ['postgres://db.example.org/x?ssl=', 'verified'],
  ['postgres://db.example.org/x?ssl=true', 'verified'],
  ['postgres://10.0.0.1/x?uselibpqcompat=true', 'verified'],
  ['postgres://127.0.0.1/x?host=db.example.org', 'verified'],
  ['postgres://127.0.0.1.example.org/x', 'verified'],
  ['postgres://db.example.org/x?sslmode=prefer', 'verified'],
  ['postgres://db.example.org/x?sslmode=require&a=b', 'verified'],
  ['postgres://127.0.0.1/x?sslmode=verify-ca', 'verified'],
  ['postgres://db.example.org/x?uselibpqcompat=true&sslmode=verify-full', 'verified'],
  ['postgres://db.example.org/x?sslmode=disable', 'no TLS'],
  ['postgres://127.0.0.1:5432/x', 'no TLS'],
  ['postgres://localhost/x', 'no TLS'],
  ['postgres://[::1]/x', 'no TLS'],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/x', 'no TLS'],
  ['postgres://u@db.example.org/x?host=/var/run/postgresql', 'no TLS'],
  ['postgres://127.0.0.1/x?sslmode=no-verify', 'not verified'],
  ['postgres://127.0.0.1/x?uselibpqcompat=true&sslmode=require', 'not verified'],
  ['postgres://db.example.org/x?sslmode=no-verify', 'rejected'],
  ['postgres://db.example.org/x?ssl=no-verify', 'rejected'],
  ['postgres://db.example.org/x?sslmode=verify-full&sslmode=no-verify', 'rejected'],
  ['postgres://127.0.0.1/x?host=db.example.org&sslmode=no-verify', 'rejected'],
  ['postgres://db.example.org/x?uselibpqcompat=true&sslmode=require', 'rejected'],
])('with %s the certificate is: %s', async (given, expected) => {
  const warned: Error[] = []
  const hear = (warning: Error) => warned.push(warning)
  process.on('warning', hear)
  const { connectionString, isUnverified } = adaptConnectionString(given)
  const { ssl } = new pg.Client({ connectionString }) as { ssl: boolean | ConnectionOptions }
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', hear)
  const accepts = typeof ssl === 'object' && ssl.rejectUnauthorized === false
  const made = accepts ? 'not verified' : ssl === false ? 'no TLS' : 'verified'
  expect(isUnverified ? 'rejected' : made).toBe(expected)
  expect(warned).toEqual([])
})

test('a connection to another machine without certificate verification is rejected', async () => {
  const database = openDatabase('postgres://u:p@db.example.org/x?sslmode=no-verify')
  for (const ask of [() => database.rows('select 1'), () => database.openConnection(1000)])
    await expect(ask()).rejects.toMatchObject({ name: 'DatabaseError', code: 'LANDFORM_UNVERIFIED' })
  await database.close()
})
