import type { ServerResponse } from 'node:http'

/** A response to a viewer. */
export interface Answer {
  readonly httpStatus: number
  readonly contentType: string
  readonly content: string | Uint8Array
  /** The policy of a page; documents need none and get the strictest. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Builds a response with a JSON document. */
export function document(content: object, httpStatus = 200): Answer {
  return {
    httpStatus,
    contentType: 'application/json; charset=utf-8',
    content: `${JSON.stringify(content)}\n`,
  }
}

/** Builds an error document. */
export function refusal(httpStatus: number, message: string): Answer {
  return document({ error: { code: httpStatus, message, details: null } }, httpStatus)
}

/** Builds the security headers of every response: no caching, no content sniffing, no embedding. */
export function guardedHeaders(policy = "default-src 'none'; frame-ancestors 'none'") {
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
export function sendAnswer(outgoing: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.content)
  outgoing.writeHead(answer.httpStatus, {
    ...guardedHeaders(answer.policy),
    ...(answer.httpStatus === 405 && { allow: 'GET, HEAD' }),
    ...answer.headers,
    'content-type': answer.contentType,
    'content-length': body.length,
  })
  outgoing.end(body)
}
