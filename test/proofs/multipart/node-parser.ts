import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpReader } from './post.js'
import type { Parser } from './reader.js'
import type { Value } from './value.js'

type Read = (request: IncomingMessage, folder: string) => Promise<readonly Value[]>

/** A parser that runs in this process, behind a server of its own: it gets its bytes as they come off a socket. */
export function nodeParser(traits: Pick<Parser, 'name' | 'readsForms'>, read: Read): Parser {
  return {
    ...traits,
    async start(folder) {
      const server = createServer((request, response) => {
        read(request, folder).then(
          values => response.end(JSON.stringify(values)),
          error => response.end(JSON.stringify({ error: String(error) })),
        )
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return httpReader(`http://127.0.0.1:${port}/`, async () => {
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      })
    },
  }
}
