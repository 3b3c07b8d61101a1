import type { IncomingMessage } from 'node:http'

/** Reads the host of a request; undefined for two, because a proxy in between may have used the other one. */
export function readHost({ headersDistinct }: IncomingMessage): string | undefined {
  const [host, ...more] = headersDistinct['host'] ?? []
  return more.length > 0 ? undefined : host?.toLowerCase()
}

/** True if a browser reports that a page of another site caused the request. */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'none' && site !== 'same-origin'
}
