import type { IncomingMessage } from 'node:http'

/** The host that a request is for; of two, whoever stands between may have gone by the other one. */
export function hostOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [host, ...more] = headersDistinct['host'] ?? []
  return more.length > 0 ? undefined : host?.toLowerCase()
}

/** True where a browser says that a page of another site caused a request. */
export function isOfOtherSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'none' && site !== 'same-origin'
}
