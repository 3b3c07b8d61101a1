import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { RecordedAnswer } from './answers/recorded.js'
import { atEnd } from './at-end.js'

/** A request with which the client ends, as if its process were killed. */
interface LastRequest {
  /** The number of requests until then, including the last. */
  left: number
  readonly moment: 'before' | 'after'
  kill(): void
}

/** Faults of an object server. Each can be changed while it runs. */
export interface ObjectServerFaults {
  /** Creates any object, even if its name exists. */
  ignoresConditions?: boolean
  /** Confirms every creation, but keeps the first object of a name. */
  confirmsAll?: boolean
  /** Confirms objects with matching names without creating them. */
  loses?: RegExp
  /** Confirms and creates objects with matching names, but without their text. */
  empties?: RegExp
  /** Marks every page of a listing as truncated, with the same continuation token or a new one each time. */
  listsForever?: 'same token' | 'other tokens'
  /** Answers every read with this text, whatever the name. */
  findsAll?: string
  /** Lists only the first objects, up to this number. */
  listsFirst?: number
  /** Carries out this many requests with a method, and closes the connection instead of answering. */
  cuts?: { method: string; times: number }
  /** Ends the client at this request, before or after the request is carried out. */
  last?: LastRequest | undefined
}

/** A server of objects on a loopback port. */
export interface ObjectServer {
  readonly url: string
  /** Method and path of each request, in order. */
  readonly requests: string[]
  close(): Promise<void>
}

/** A response. A body that is no text is sent as JSON. */
export type ObjectAnswer = Pick<RecordedAnswer, 'status'> & Partial<RecordedAnswer>

interface Rule {
  readonly faults: ObjectServerFaults
  answer(request: IncomingMessage, body: Buffer): ObjectAnswer
  /** Serves over TLS. */
  readonly tls?: ServerOptions | undefined
}

/** Serves requests, and simulates the faults. */
export async function objectServer({ faults, answer, tls }: Rule): Promise<ObjectServer> {
  const requests: string[] = []
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const answerTo = (body: Buffer) => {
      requests.push(`${request.method} ${request.url}`)
      // Gateways block requests without a user agent.
      if (!request.headers['user-agent']?.startsWith('landform/')) {
        response.writeHead(403).end()
        return
      }
      if (endsClient(faults.last, 'before')) {
        request.socket.destroy()
        return
      }
      const { status, headers = {}, body: content = '' } = answer(request, body)
      const isCut =
        faults.cuts !== undefined && faults.cuts.times > 0 && faults.cuts.method === request.method
      if (faults.cuts !== undefined && isCut) faults.cuts.times -= 1
      if (isCut || endsClient(faults.last, 'after')) request.socket.destroy()
      else
        response
          .writeHead(status, headers)
          .end(typeof content === 'string' ? content : JSON.stringify(content))
    }
    // A client that disconnects before the end of its request gets no answer.
    void buffer(request).then(answerTo, () => response.destroy())
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  atEnd(close)
  const { port } = server.address() as AddressInfo
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, requests, close }
}

/** Returns a page of a listing, and the start of the next if there is one. */
export function pageOf<T>(
  all: readonly T[],
  { from, limit }: { readonly from: number; readonly limit: number },
  { listsForever }: ObjectServerFaults,
) {
  const isCut = from + limit < all.length || listsForever !== undefined
  const next = listsForever === 'same token' ? 0 : from + limit
  return { some: all.slice(from, from + limit), next: isCut ? next : undefined }
}

/** Counts a request. Ends the client at its last request; from then on returns true. */
function endsClient(last: LastRequest | undefined, moment: LastRequest['moment']): boolean {
  if (last === undefined || last.moment !== moment) return false
  last.left -= 1
  if (last.left === 0) last.kill()
  return last.left <= 0
}
