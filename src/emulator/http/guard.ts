import type { IncomingHttpHeaders } from 'node:http'

/** The one address the emulator listens on: it is for this machine alone. */
export const loopback = '127.0.0.1'

/**
 * True for a request that a web page did not cause. A page that had its own name point here would carry that
 * name as Host, and a page that posts a form across sites carries an Origin.
 */
export function isLocal(headers: IncomingHttpHeaders, port: number | undefined): boolean {
  return headers.host === `${loopback}:${port}` && headers.origin === undefined
}
