import { hasSubscribers } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { openDatabase } from '../../../packages/fleet/src/database/database.js'
import type { WorkerEvent } from '../../../packages/fleet/src/worker/log.js'
import { runWorker } from '../../../packages/fleet/src/worker/worker.js'
import { startProgram } from '../../support/landform-program.js'
import { postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

/** Starts a proxy in front of a server that cuts all connections once, at the given chunk of client data. */
async function cutAfter(connection: string, pieces: number) {
  const { port, hostname } = new URL(connection)
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer(client => {
    const backend = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    backend.pipe(client)
    client.on('data', piece => {
      sent += 1
      if (sent === pieces) for (const socket of sockets) socket.destroy()
      else backend.write(piece)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(connection)
  through.port = String((server.address() as AddressInfo).port)
  return {
    connection: through.href,
    wasCut: () => sent >= pieces,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

describeWhere(postgresIsHere, postgresPackages)('a worker that loses its database', () => {
  test('ends with 74 when it is stopped while the database is unavailable', async () => {
    const server = await postgres()
    const folder = await temporaryFolder()
    const env = { LANDFORM_DATABASE_URL: await server.freshDatabase() }
    const words = ['fleet', 'worker', '--folder', folder, '--log', 'json']
    const { child, said, ended } = startProgram(words, { env })
    while (!said.out.includes('worker-started')) await once(child.stdout as Readable, 'data')
    await server.kill()
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({
      code: 74,
      err: expect.stringMatching(/the database cannot be\s+reached/),
    })
  })

  /** Chunks at which the connections are cut. A worker sends more before it has started. */
  const places = [1, 3, 6, 10, 20, 40, 60, 80, 100]

  test.each(places)(
    'for a moment, at chunk %i of its start, starts or reports an error, and leaves no gate behind',
    async pieces => {
      const through = await cutAfter(await (await postgres()).freshDatabase(), pieces)
      const database = openDatabase(through.connection, { maxConnections: 10 })
      const told: WorkerEvent[] = []
      const stop = new AbortController()
      const end = await runWorker({
        leave: () => undefined,
        name: 'worker-1',
        leaseMs: 8000,
        limit: 5,
        version: '0',
        database,
        report(event) {
          told.push(event)
          if (event.type === 'worker-started') stop.abort('SIGTERM')
        },
        stop: stop.signal,
        openManifest: async () => ({ ok: false, error: { message: '', exitCode: 66 } }),
      }).catch((error: Error) => error.name)
      expect(['stopped', 'DatabaseError']).toContain(end)
      expect(through.wasCut()).toBe(true)
      expect(hasSubscribers('undici:client:sendHeaders')).toBe(false)
      await database.close()
      await through.close()
    },
  )
})
