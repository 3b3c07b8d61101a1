import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Reply } from './failure.js'
import type { Limit } from './limit.js'

const connectMs = 10_000

/**
 * Makes a connection for one request, and sends nothing on it. HTTP/1.1 only; TLS 1.2 or newer and always verified.
 * Who gets it destroys it.
 */
export async function connect(url: string, limit: Limit): Promise<Reply<Socket>> {
  const { protocol, hostname, port, host } = new URL(url)
  // Let go of once there is a connection, which lives longer than the time for making it.
  const making = new AbortController()
  const abort = () => making.abort(limit.signal.reason)
  limit.signal.addEventListener('abort', abort)
  if (limit.signal.aborted) abort()
  const connector = buildConnector({
    allowH2: false,
    timeout: connectMs,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    signal: making.signal,
  })
  try {
    const socket = await new Promise<Socket>((resolve, reject) => {
      connector({ protocol, hostname: bare(hostname), port, host }, (error, made) =>
        error === null ? resolve(made as Socket) : reject(error),
      )
    })
    return { ok: true, value: socket }
  } catch (error) {
    return limit.notSent(error)
  } finally {
    limit.signal.removeEventListener('abort', abort)
  }
}

/** An address of version 6 stands in brackets in a URL, and nowhere else. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
