import { formatDriverString, isUnverified } from '../../packages/fleet/src/database/connection.js'
import { openDatabase } from '../../packages/fleet/src/database/database.js'
import { startRawServer, stopRawServers } from '../support/raw-server.js'

afterEach(stopRawServers)

/** What PostgreSQL says to ask for the password in clear. */
const asksInClear = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

test.each([
  ['a question', (database: ReturnType<typeof openDatabase>) => database.rows('select 1')],
  ['a connection of its own', (database: ReturnType<typeof openDatabase>) => database.openConnection(5000)],
])('a server that asks for the password in clear gets none without TLS, by %s', async (_, ask) => {
  let gone: (() => void) | undefined
  const closed = new Promise<void>(resolve => {
    gone = resolve
  })
  let asked = 0
  const server = await startRawServer(socket => {
    asked += 1
    if (asked === 1) socket.write(asksInClear)
    socket.once('close', () => gone?.())
  })
  const connection = `postgres://landform:pa55word-of-a-database@127.0.0.1:${server.port}/x`
  const database = openDatabase(connection, { applicationName: 'landform test' })
  await expect(ask(database)).rejects.toMatchObject({ name: 'DatabaseError', code: 'ERR_SSL' })
  await closed
  await database.close()
  expect(server.received.join()).toContain('landform')
  expect(server.received.join()).not.toContain('pa55word')
})

test.each([
  ['postgres://db.example.org/x', '?sslmode=verify-full'],
  ['postgres://db.example.org/x?sslrootcert=/ca.pem', '&sslmode=verify-full'],
  ['postgres://db.example.org/x?sslmode=', '&sslmode=verify-full'],
  ['postgres://db.example.org/x?ssl=', '&sslmode=verify-full'],
  ['postgres://10.0.0.1/x?uselibpqcompat=true', '&sslmode=verify-full'],
  ['postgres://127.0.0.1/x?host=db.example.org', '&sslmode=verify-full'],
  ['postgres://127.0.0.1.example.org/x', '?sslmode=verify-full'],
  ['postgres://db.example.org/x?sslmode=disable', ''],
  ['postgres://db.example.org/x?ssl=true', ''],
  ['postgres://127.0.0.1:5432/x', ''],
  ['postgres://localhost/x', ''],
  ['postgres://[::1]/x', ''],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/x', ''],
  ['postgres://u@db.example.org/x?host=/var/run/postgresql', ''],
])('%s is connected to with TLS, unless it leads to this machine or says otherwise: %j', (given, added) => {
  expect(formatDriverString(given)).toBe(`${given}${added}`)
})

test('a mark of a place in a connection string does not hide that', () => {
  expect(formatDriverString('postgres://u:p@db.example.org/x#y')).toBe(
    'postgres://u:p@db.example.org/x?sslmode=verify-full#y',
  )
})

test.each([
  ['postgres://db.example.org/x?sslmode=no-verify', true],
  ['postgres://db.example.org/x?ssl=no-verify', true],
  ['postgres://db.example.org/x?sslmode=verify-full&sslmode=no-verify', true],
  ['postgres://127.0.0.1/x?host=db.example.org&sslmode=no-verify', true],
  ['postgres://db.example.org/x?uselibpqcompat=true&sslmode=require', true],
  ['postgres://db.example.org/x?uselibpqcompat=true&sslmode=verify-full', false],
  ['postgres://db.example.org/x?sslmode=require', false],
  ['postgres://db.example.org/x?sslmode=disable', false],
  ['postgres://127.0.0.1/x?sslmode=no-verify', false],
])('%s verifies no certificate of another machine: %j', (given, expected) => {
  expect(isUnverified(given)).toBe(expected)
})

test('a connection that verifies no certificate of another machine is not made', async () => {
  const database = openDatabase('postgres://u:p@db.example.org/x?sslmode=no-verify', {
    applicationName: 'landform test',
  })
  for (const ask of [() => database.rows('select 1'), () => database.openConnection(1000)])
    await expect(ask()).rejects.toMatchObject({ name: 'DatabaseError', code: 'LANDFORM_UNVERIFIED' })
  await database.close()
})
