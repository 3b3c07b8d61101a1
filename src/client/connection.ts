import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Reply } from './failure.js'
import { createAddressError, guardLookup, isForbidden } from './forbidden-address.js'
import { connectMs, createCodeError, type Limit } from './limit.js'
import { direct, type Route } from './route.js'
import { openTunnel } from './tunnel.js'
import { buildConnector } from './undici.js'

/** The default trust of Node. Making it costs as much as a whole request. */
let usual: SecureContext | undefined
function defaultTrust(): SecureContext {
  usual ??= createSecureContext({ minVersion: 'TLSv1.2' })
  return usual
}

/**
 * Makes a connection for one request, and sends nothing to the site on it. HTTP/1.1 only; TLS 1.2 or newer and always
 * verified. Who gets it destroys it.
 */
export async function connect(url: string, limit: Limit, route: Route = direct): Promise<Reply<Socket>> {
  const { protocol, hostname, port, host } = new URL(url)
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const { proxy } = route
  // Let go of once there is a connection, which lives longer than the time for making it.
  const making = new AbortController()
  const abort = () => making.abort(limit.signal.reason)
  limit.signal.addEventListener('abort', abort)
  if (limit.signal.aborted) abort()
  const connector = buildConnector({
    allowH2: false,
    timeout: connectMs,
    ...(protocol === 'https:' && { secureContext: route.trust ?? defaultTrust() }),
    rejectUnauthorized: true,
    signal: making.signal,
    lookup: guardLookup(route.lookup),
  })
  try {
    // Node would connect all the same, and nobody would ever destroy that socket.
    if (limit.signal.aborted) throw createCodeError('ABORT_ERR')
    if (isForbidden(name)) throw createAddressError()
    const httpSocket = proxy && (await openTunnel(proxy, `${hostname}:${port || '443'}`, making.signal))
    const options = { protocol, hostname: name, port, host, ...(httpSocket !== undefined && { httpSocket }) }
    const socket = await new Promise<Socket>((resolve, reject) => {
      connector(options, (error, made) => (error === null ? resolve(made as Socket) : reject(error)))
    }).catch((error: unknown) => {
      httpSocket?.destroy()
      throw error
    })
    if (httpSocket !== undefined) socket.once('close', () => httpSocket.destroy())
    return { ok: true, value: socket }
  } catch (error) {
    return limit.notSent(error)
  } finally {
    limit.signal.removeEventListener('abort', abort)
  }
}
