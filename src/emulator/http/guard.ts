import type { IncomingMessage } from 'node:http'

/** The only address the emulator listens on: it is for this machine alone. */
export const loopback = '127.0.0.1'

/** The rejection of a request before it is read. */
interface EarlyRejection {
  readonly httpStatus: number
  readonly message: string
}

/** The port and the part of the emulator that a request addresses. */
interface EntryPoint {
  readonly port: number
  readonly isControl: boolean
}

/**
 * Rejects requests that web pages caused, requests for another host, protocol upgrades and TRACE. A page whose own
 * domain resolves to this address sends that domain as Host; a page that posts across origins sends an Origin.
 */
export function rejectEarly(
  incoming: IncomingMessage,
  { port, isControl }: EntryPoint,
): EarlyRejection | undefined {
  const { headers, method, url = '' } = incoming
  if (!url.startsWith('/')) return misdirected
  const own = [loopback, 'localhost'].map(name => `${name}:${port}`)
  if (!own.includes(readHost(incoming) ?? '')) return misdirected
  const ownPage = isControl && headers.origin === `http://${headers.host}`
  if (headers.origin !== undefined && !ownPage) return fromElsewhere
  if (isCrossSite(incoming)) return fromElsewhere
  if (method === 'TRACE') return { httpStatus: 405, message: 'The emulator does not support TRACE.' }
  // Some clients offer h2c with every first request and continue without it.
  if (headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c')
    return { httpStatus: 400, message: 'The emulator supports HTTP/1.1 only.' }
  return undefined
}

const misdirected = {
  httpStatus: 421,
  message:
    'This is a Landform emulator for rehearsals on this machine, not a real site. It answers only at its own address.',
}
const fromElsewhere = {
  httpStatus: 403,
  message: 'Only local programs may send requests, not pages of another site.',
}

/** Reads the host of a request; `undefined` if there are two, because a proxy in between may have used the other one. */
function readHost({ headersDistinct }: IncomingMessage): string | undefined {
  const [host, ...more] = headersDistinct['host'] ?? []
  return more.length > 0 ? undefined : host?.toLowerCase()
}

/** True if a browser reports that a page of another site caused the request. */
function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'none' && site !== 'same-origin'
}
