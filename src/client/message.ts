import type { Redirect } from './redirect.js'
import type { Route } from './route.js'
import type { PartOfBody, RequestBody } from './wire/multipart.js'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Base URL of the site. */
  readonly url: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly body?: RequestBody | PiecedBody
  /** The header of that name. It is a text, which cannot be wiped: only for reading what takes the token in no body. */
  readonly authorization?: string
  /** The time limit of the whole call. */
  readonly deadlineMs: number
  /** A longer answer counts as none. */
  readonly maxAnswerBytes?: number
  readonly signal: AbortSignal
  readonly route?: Route
}

/** A body in pieces, which go out one after the other. */
export interface PiecedBody extends Pick<RequestBody, 'contentType'> {
  readonly pieces: readonly PartOfBody[]
}

export interface HttpAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** The body is compressed, though none was asked for, and was left unread: a little of it may be very much. */
  readonly isEncoded?: true
  /** The time of the answer, by the clock of the server, in milliseconds since 1970 and whole seconds. */
  readonly answeredAtMs?: number
  /** The pause that the answer asks for. */
  readonly retryAfterMs?: number
  /** The target of a redirect. */
  readonly redirect?: Redirect
  /** The header that the request asked for. */
  readonly header?: string
}

/** A poll of a site: it has no other method and no body. */
export type GetRequest = Omit<HttpRequest, 'method' | 'body'>
