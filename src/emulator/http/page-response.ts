import type { ServerResponse } from 'node:http'

/** A response to a viewer. */
export interface PageResponse {
  readonly httpStatus: number
  readonly contentType: string
  readonly content: string | Uint8Array
  /** The policy of a page; documents need none and get the strictest. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds a response with a JSON document. */
export function buildDocument(content: object, httpStatus = 200): PageResponse {
  return {
    httpStatus,
    contentType: 'application/json; charset=utf-8',
    content: `${JSON.stringify(content)}\n`,
  }
}

/** Builds an error document. */
export function buildError(httpStatus: number, message: string): PageResponse {
  return buildDocument({ error: { code: httpStatus, message, details: null } }, httpStatus)
}

/** Builds the security headers of every response: no caching, no content sniffing, no embedding. */
export function buildSecurityHeaders(policy = "default-src 'none'; frame-ancestors 'none'") {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

/** Writes a response; Node omits the body for HEAD. */
export function sendResponse(outgoing: ServerResponse, answer: PageResponse): void {
  const body = Buffer.from(answer.content)
  outgoing.writeHead(answer.httpStatus, {
    ...buildSecurityHeaders(answer.policy),
    ...(answer.httpStatus === 405 && { allow: 'GET, HEAD' }),
    ...answer.headers,
    'content-type': answer.contentType,
    'content-length': body.length,
  })
  outgoing.end(body)
}
