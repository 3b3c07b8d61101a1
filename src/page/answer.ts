import type { ServerResponse } from 'node:http'

/** An answer to who watches. */
export interface Answer {
  readonly httpStatus: number
  readonly contentType: string
  readonly content: string | Uint8Array
  /** The policy of a page; documents need none and get the strictest. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A machine document. */
export function document(content: object, httpStatus = 200): Answer {
  return {
    httpStatus,
    contentType: 'application/json; charset=utf-8',
    content: `${JSON.stringify(content)}\n`,
  }
}

/** Why there is no document. */
export function refusal(httpStatus: number, message: string): Answer {
  return document({ error: { code: httpStatus, message, details: null } }, httpStatus)
}

/** What every answer forbids browsers: to keep it, to guess what it is, to show it elsewhere. */
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

/** Writes an answer; Node leaves the body out where HEAD asked. */
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
