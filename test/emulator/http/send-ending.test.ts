import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { SentAnswer } from '../../../src/emulator/faults/ending.js'
import { sendEnding } from '../../../src/emulator/http/send-ending.js'

const get = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const flood: SentAnswer = {
  kind: 'answer',
  httpStatus: 200,
  headers: {},
  content: { kind: 'bytes', bytes: Buffer.from('{}') },
  interim: { count: 50_000, everyMs: 0 },
}
const noWait = async () => undefined

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) server.close().closeAllConnections()
})

/** What a server has to answer to so many requests on one connection, before it has answered any. */
async function asked(count: number) {
  const responses: ServerResponse[] = []
  const server = createServer()
  running.push(server)
  const all = new Promise<void>(resolve => {
    server.on('request', (_, outgoing) => {
      if (responses.push(outgoing) === count) resolve()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  client.write(get.repeat(count))
  await all
  return { responses, client }
}

describe('a flood of interim answers is kept for nobody', () => {
  test('when the client went away a moment ago', async () => {
    const { responses, client } = await asked(1)
    const [outgoing] = responses as [ServerResponse]
    client.resetAndDestroy()
    const sent = sendEnding(outgoing, flood, noWait)
    // Nothing but the answer itself.
    expect(outgoing.writableLength).toBeLessThan(1000)
    await sent
  })

  test('while the answer to an earlier request is still to come', async () => {
    const { responses, client } = await asked(2)
    const [earlier, outgoing] = responses as [ServerResponse, ServerResponse]
    const sent = sendEnding(outgoing, flood, noWait)
    expect(outgoing.writableLength).toBe(0)
    let text = ''
    client.on('data', (more: string) => {
      text += more
    })
    earlier.end()
    await sent
    while (!text.endsWith('{}')) await once(client, 'data')
    expect(text.split('102 Processing')).toHaveLength(50_001)
  })
})
