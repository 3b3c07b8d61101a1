import type { Socket } from 'node:net'
import { connectMs, createCodeError, readErrorCode } from './limit.js'
import type { SiteProxy } from './proxy.js'
import { Client } from './undici.js'

/**
 * A way through a proxy to a site, to speak TLS on. The proxy hears its own password, and of the site the host and the
 * port. What goes wrong here has a code that begins with `PROXY_`: the site has seen nothing.
 */
export async function openTunnel({ url }: SiteProxy, target: string, signal: AbortSignal): Promise<Socket> {
  const client = new Client(url.origin, {
    allowH2: false,
    connect: { timeout: connectMs, minVersion: 'TLSv1.2', rejectUnauthorized: true, signal },
    headersTimeout: connectMs,
  })
  const authorization = formatBasic(url)
  const headers = {
    host: target,
    ...(authorization !== undefined && { 'proxy-authorization': authorization }),
  }
  try {
    const { statusCode, socket } = await client.connect({ path: target, headers, signal })
    if (statusCode === 200) return socket as Socket
    socket.destroy()
    throw createCodeError(`HTTP_${statusCode}`)
  } catch (error) {
    throw createCodeError(`PROXY_${readErrorCode(error)}`)
  } finally {
    // The way that was made is no longer the client's.
    await client.destroy()
  }
}

function formatBasic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const plain = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return `Basic ${plain.toString('base64')}`
}
