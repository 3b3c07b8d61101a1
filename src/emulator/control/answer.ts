import type { ServerResponse } from 'node:http'

/** An answer of the control path. */
export interface ControlAnswer {
  readonly httpStatus: number
  readonly contentType: string
  readonly text: string
  /** The policy of a page; documents need none and get the strictest. */
  readonly policy?: string
}

/** A machine document. */
export function document(content: object, httpStatus = 200): ControlAnswer {
  return { httpStatus, contentType: 'application/json; charset=utf-8', text: `${JSON.stringify(content)}\n` }
}

/** Why there is no document. */
export function refusal(httpStatus: number, message: string): ControlAnswer {
  return document({ error: { code: httpStatus, message, details: null } }, httpStatus)
}

/** What every answer of the control path forbids browsers: to keep it, to guess what it is, to show it elsewhere. */
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
export function sendControl(outgoing: ServerResponse, answer: ControlAnswer): void {
  const body = Buffer.from(answer.text)
  outgoing.writeHead(answer.httpStatus, {
    ...guardedHeaders(answer.policy),
    ...(answer.httpStatus === 405 && { allow: 'GET, HEAD' }),
    'content-type': answer.contentType,
    'content-length': body.length,
  })
  outgoing.end(body)
}
