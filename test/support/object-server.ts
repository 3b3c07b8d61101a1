import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A client that ends with one of its requests, as a process that is killed does. */
interface LastRequest {
  /** How many requests are left to it, with that one. */
  left: number
  readonly moment: 'before' | 'after'
  /** Ends the client. */
  kill(): void
}

/** What is wrong with a server of objects. Each may be switched while it runs. */
export interface ObjectServerFaults {
  /** It creates any object, whether there is one of that name or not. */
  ignoresConditions?: boolean
  /** It confirms every object, and keeps the first. */
  confirmsAll?: boolean
  /** It confirms objects of names like this, and makes none. */
  loses?: RegExp
  /** It confirms and keeps objects of names like this without their text. */
  empties?: RegExp
  /** Every page of a listing is cut, and its token is the same, or another each time. */
  listsForever?: 'same token' | 'other tokens'
  /** Each read finds an object with this text, whatever its name. */
  findsAll?: string
  /** Listings show the first so many objects. */
  listsFirst?: number
  /** So many requests of a method are carried out, and their answers lost. */
  cuts?: { method: string; times: number }
  /** With the request of that number, counted from now, its client ends, before or after the request is carried out. */
  last?: LastRequest | undefined
}

/** A server of objects on a loopback port. */
export interface ObjectServer {
  readonly url: string
  /** Method and path of each request, in order. */
  readonly requests: string[]
  close(): Promise<void>
}

interface Rule<A> {
  readonly faults: ObjectServerFaults
  /** Carries out a request. */
  answer(request: IncomingMessage, body: Buffer): A
  send(response: ServerResponse, answer: A): void
  /** Serves over TLS. */
  readonly tls?: ServerOptions | undefined
}

/** Serves requests, one after the other, some of whose clients or answers are lost. */
export async function objectServer<A>({ faults, answer, send, tls }: Rule<A>): Promise<ObjectServer> {
  const requests: string[] = []
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const answerTo = (body: Buffer) => {
      requests.push(`${request.method} ${request.url}`)
      // Gateways block requests without a name.
      if (!request.headers['user-agent']?.startsWith('landform/')) {
        response.writeHead(403).end()
        return
      }
      if (endsClient(faults.last, 'before')) {
        request.socket.destroy()
        return
      }
      const made = answer(request, body)
      const isCut =
        faults.cuts !== undefined && faults.cuts.times > 0 && faults.cuts.method === request.method
      if (faults.cuts !== undefined && isCut) faults.cuts.times -= 1
      if (isCut || endsClient(faults.last, 'after')) request.socket.destroy()
      else send(response, made)
    }
    // A client that leaves before it has sent all gets no answer.
    void buffer(request).then(answerTo, () => response.destroy())
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Ends a client if a request that is about to be carried out, or has been, is its last. */
function endsClient(last: LastRequest | undefined, moment: LastRequest['moment']): boolean {
  if (last === undefined || last.moment !== moment) return false
  last.left -= 1
  if (last.left === 0) last.kill()
  return last.left <= 0
}
