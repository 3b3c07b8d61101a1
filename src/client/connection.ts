import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Client, Dispatcher } from 'undici'
import { cacheBuster } from '../contract/parameter.js'
import type { ShownCertificate } from '../plan/shown-certificate.js'
import { watchCertificate } from './certificate.js'
import { type Reply, toFailure } from './failure.js'
import { decodeContent, dropProvisional } from './incoming.js'
import {
  addressErrorCode,
  connectDeadlineMs,
  createCodeError,
  defaultMaxBytes,
  type Limit,
  readErrorCode,
  withDeadline,
} from './limit.js'
import {
  buildHeaders,
  collectFacts,
  firstHeader,
  type GetRequest,
  type HttpAnswer,
  type HttpRequest,
  joinPieces,
  joinTarget,
  type Line,
  type Message,
  toSendable,
} from './message.js'
import { openTunnel } from './proxy.js'
import { direct, guardLookup, isForbidden, type Route, type Transport } from './route.js'
import { defaultTrust } from './trust.js'

/** A connection for requests that follow one another. */
interface Connection {
  /**
   * Sends one request, once: no redirects, no retries, no compression. Returns `not-sent` only if undici never began to
   * write, for example because the server had closed the connection; the code of the error does not matter.
   */
  send(message: Message, limit: Limit): Promise<Reply<HttpAnswer>>
  close(): void
}

/**
 * Opens a connection, and sends nothing to the site on it. HTTP/1.1 only; TLS 1.2 or newer and always verified. The caller
 * sends on it or closes it.
 */
async function open(url: string, limit: Limit, route: Route = direct): Promise<Reply<Connection>> {
  const { transport } = route
  if (transport !== undefined)
    return {
      ok: true,
      value: { send: (message, allowed) => sendOver(transport, message, allowed), close: () => undefined },
    }
  const connected = await connect(url, limit, route)
  if (!connected.ok) return connected
  const socket = connected.value
  const { Client } = await import('undici')
  const client = new Client(new URL(url).origin, {
    allowH2: false,
    connect: handOver(socket),
    // `limit` bounds the whole call. undici's own timeouts would not end a flood of 1xx responses.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Servers close idle connections. A request sent at that moment has an unknown outcome.
    keepAliveTimeout: 10_000,
    keepAliveTimeoutThreshold: 1_000,
  })
  return {
    ok: true,
    value: {
      send: (message, allowed) => exchange({ client, socket }, message, allowed),
      close() {
        // Not `close`, which waits for a response that may never end.
        void client.destroy()
        socket.destroy()
      },
    },
  }
}

/** Creates a line that opens a connection with its first poll. */
export function createLine(url: string, route: Route): Line {
  let connection: Connection | undefined
  const send: Line['send'] = async (message, limit) =>
    connection?.send(message, limit) ?? limit.notSent(createCodeError(lost))
  const sendAnew: Line['send'] = async (message, limit) => {
    connection?.close()
    const opened = await open(url, limit, route)
    connection = opened.ok ? opened.value : undefined
    return opened.ok ? opened.value.send(message, limit) : opened
  }
  return {
    send,
    sendAnew,
    async poll(message, limit) {
      const reply = await send(message, limit)
      if (reply.ok || reply.error.kind !== 'not-sent' || limit.signal.aborted) return reply
      return sendAnew(message, limit)
    },
    close: () => connection?.close(),
  }
}

/**
 * Sends one request, once, on its line if it has one, and otherwise on a new connection: an idle connection may close during
 * a POST, or hold the response to another request.
 */
export function send({
  deadlineMs,
  signal,
  route,
  line,
  ...message
}: HttpRequest): Promise<Reply<HttpAnswer>> {
  return withDeadline(deadlineMs, signal, async limit => {
    if (line !== undefined) return line.poll(message, limit)
    const opened = await open(message.url, limit, route)
    return opened.ok ? opened.value.send(message, limit).finally(opened.value.close) : opened
  })
}

/**
 * Requests a resource as JSON, with the token if there is one. Readers send nothing else. Each URL is unique, because some
 * caches ignore `no-cache`. Follows a redirect only if it adds a slash to the path, as servlet containers do, and uses that
 * path from then on.
 */
export async function get({ token, path, query, ...request }: GetRequest): Promise<Reply<HttpAnswer>> {
  // A token that is invalid in a header is left out, so that no error quotes it.
  const isSendable = token?.bytes.every(byte => byte > 0x20 && byte < 0x7f)
  const authorization = isSendable ? `Bearer ${token?.bytes.toString('latin1')}` : undefined
  const { slashes = new Set() } = request.route ?? direct
  const ask = () => {
    const target = slashes.has(path) ? `${path}/` : path
    return send({
      ...request,
      method: 'GET',
      path: `${target}?f=json${query === undefined ? '' : `&${query}`}&${cacheBuster}=${randomUUID()}`,
      ...(authorization && { authorization }),
    })
  }
  const answer = await ask()
  if (!answer.ok || answer.value.redirect?.to !== 'slash' || slashes.has(path)) return answer
  slashes.add(path)
  return ask()
}

async function connect(url: string, limit: Limit, route: Route): Promise<Reply<Socket>> {
  const { protocol, hostname, port, host } = new URL(url)
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const { proxy } = route
  // This signal is for connecting only, because the connection outlives this limit.
  const making = new AbortController()
  let readCertificate: () => ShownCertificate | undefined = () => undefined
  const abort = () => making.abort(limit.signal.reason)
  limit.signal.addEventListener('abort', abort)
  try {
    const { buildConnector } = await import('undici')
    // Otherwise Node would connect, and nothing would destroy the socket.
    if (limit.signal.aborted) throw createCodeError('ABORT_ERR')
    if (isForbidden(name)) throw createCodeError(addressErrorCode)
    const connector = buildConnector({
      allowH2: false,
      timeout: connectDeadlineMs,
      ...(protocol === 'https:' && { secureContext: route.trust ?? defaultTrust() }),
      rejectUnauthorized: true,
      signal: making.signal,
      lookup: guardLookup(route.lookup),
    })
    const httpSocket = proxy && (await openTunnel(proxy, `${hostname}:${port || '443'}`, making.signal))
    const options = { protocol, hostname: name, port, host, ...(httpSocket !== undefined && { httpSocket }) }
    const socket = await new Promise<Socket>((resolve, reject) => {
      // undici returns the socket; its types do not say so.
      const connecting: unknown = connector(options, (error, made) =>
        error === null ? resolve(made as Socket) : reject(error),
      )
      readCertificate = watchCertificate(connecting)
    }).catch((error: unknown) => {
      httpSocket?.destroy()
      throw error
    })
    if (httpSocket !== undefined) socket.once('close', () => httpSocket.destroy())
    // Node's TLS would join several pieces in memory that it frees without wiping, so each piece is written by itself.
    if (protocol === 'https:') Object.assign(socket, { _writev: undefined })
    return { ok: true, value: socket }
  } catch (error) {
    const failed = limit.notSent(error, readCertificate())
    if (failed.ok || proxy === undefined) return failed
    const named = { proxy: { host: proxy.host, variable: proxy.variable } }
    const { cause, reason } = failed.error
    // A page from the proxy instead of a tunnel: a site with TLS would show a certificate or send an alert.
    if (cause === 'tls' && /^(?:EPROTO|ERR_SSL_(?!.*ALERT))/.test(reason) && readCertificate() === undefined)
      return toFailure({ ...failed.error, ...named, cause: 'proxy', reason: 'HTTP_200' })
    return cause.startsWith('proxy') ? toFailure({ ...failed.error, ...named }) : failed
  } finally {
    limit.signal.removeEventListener('abort', abort)
  }
}

async function exchange(
  { client, socket }: { readonly client: Client; readonly socket: Socket },
  message: Message,
  limit: Limit,
): Promise<Reply<HttpAnswer>> {
  const { origin, pathname } = new URL(message.url)
  dropProvisional(socket)
  let isBegun = false
  // A TLS 1.3 server that requires a client certificate sends its alert after the handshake: undici reports a closed socket.
  let alert: unknown
  const noteAlert = (error: Error) => {
    if (/_ALERT_/.test(readErrorCode(error))) alert = error
  }
  socket.on('error', noteAlert)
  try {
    if (socket.readableLength > 0) throw createCodeError('ANSWERED_BEFORE_ASKED')
    const request: Dispatcher.DispatchOptions = {
      method: message.method,
      path: joinTarget(pathname, message.path),
      headers: buildHeaders(message),
      body: toSendable(message.body),
    }
    const begin = () => {
      isBegun = true
    }
    const maxBytes = message.maxAnswerBytes ?? defaultMaxBytes
    const { status, headers, bytes } = await receive(client, request, {
      signal: limit.signal,
      maxBytes,
      begin,
    })
    const header = message.answerHeader && firstHeader(headers[message.answerHeader])
    const encoding = firstHeader(headers['content-encoding'])
    const value = {
      status,
      ...(await decodeContent(bytes, encoding, maxBytes)),
      ...(header !== undefined && { header }),
      ...collectFacts(`${origin}${request.path}`, message, status, name => firstHeader(headers[name])),
    }
    return { ok: true, value }
  } catch (error) {
    if (!isBegun) return limit.notSent(error)
    return toFailure({ kind: 'no-answer', reason: limit.readReason(alert ?? error) })
  } finally {
    socket.off('error', noteAlert)
  }
}

/** The error code for a connection that was closed before the request. */
const lost = 'CONNECTION_LOST'

/** Gives the socket to undici once: after it closes, undici would reconnect and send the request again. */
function handOver(socket: Socket) {
  let isGiven = false
  return (_options: unknown, done: (...result: [null, Socket] | [Error, null]) => void) => {
    const wasGiven = isGiven
    isGiven = true
    // Deferred, because undici misses a response that arrives at once.
    queueMicrotask(() => (wasGiven ? done(createCodeError(lost), null) : done(null, socket)))
  }
}

/** The head and the bytes of a response. */
interface Received {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly bytes: Buffer
}

interface Receiving {
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Called before the first byte of the request is written. */
  begin(): void
}

/**
 * Sends a request and receives the response without a stream. Rejects with the error of undici or the reason of the signal,
 * or with the code `ANSWER_TOO_LARGE`.
 */
export function receive(
  client: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, maxBytes, begin }: Receiving,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let head: Omit<Received, 'bytes'> | undefined
    let begun: Dispatcher.DispatchController | undefined
    const stop = () => begun?.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const end = () => {
      signal.removeEventListener('abort', stop)
      // A chunk may contain a token. The caller wipes the joined bytes.
      for (const chunk of chunks) chunk.fill(0)
    }
    client.dispatch(request, {
      // undici calls it just before it writes to the connection.
      onRequestStart(controller) {
        begun = controller
        if (signal.aborted) stop()
        else begin()
      },
      onResponseStart(_, status, headers) {
        // 1xx responses are ignored.
        if (status >= 200) head = { status, headers }
      },
      onResponseData(controller, chunk) {
        length += chunk.byteLength
        chunks.push(chunk)
        if (length > maxBytes) controller.abort(createCodeError('ANSWER_TOO_LARGE'))
      },
      onResponseEnd() {
        const bytes = Buffer.concat(chunks)
        end()
        if (head !== undefined) resolve({ ...head, bytes })
      },
      onResponseError(_, error) {
        end()
        reject(error)
      },
    })
  })
}

/** Sends a request over a transport and returns the same response as a connection would. */
async function sendOver(
  transport: Transport,
  message: Message,
  { deadlineMs, signal }: Limit,
): Promise<Reply<HttpAnswer>> {
  const { method, url, path, body, maxAnswerBytes: maxBytes = defaultMaxBytes } = message
  const { origin, pathname } = new URL(url)
  const target = joinTarget(pathname, path)
  const headers = buildHeaders(message)
  const bytes = await joinPieces(body)
  const answer = await transport({ method, target, headers, bytes, deadlineMs, maxBytes, signal })
  if (answer.kind === 'none') return toFailure({ kind: 'no-answer', reason: answer.reason })
  const { status } = answer
  const facts = collectFacts(`${origin}${target}`, message, status, name => answer.headers[name])
  return { ok: true, value: { status, bytes: answer.bytes, ...facts } }
}
