import type { Redirect } from './redirect.js'
import type { Route } from './route.js'
import type { Body } from './wire/multipart.js'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Base URL of the site. */
  readonly url: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly body?: Body | PiecedBody
  /** The header of that name. It is a text, which cannot be wiped: only for reading what takes the token in no body. */
  readonly authorization?: string
  /** How long the whole call may take. */
  readonly deadlineMs: number
  /** A longer answer counts as none. */
  readonly mostAnswerBytes?: number
  readonly signal: AbortSignal
  readonly route?: Route
}

/** A body in pieces, which go out one after the other. */
export interface PiecedBody extends Pick<Body, 'contentType'> {
  readonly pieces: readonly Buffer[]
}

export interface HttpAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** The body is compressed, though none was asked for, and was left unread: a little of it may be very much. */
  readonly isEncoded?: true
  /** When it was given, by the clock of who answered, in milliseconds since 1970 and whole seconds. */
  readonly answeredAtMs?: number
  /** How long the answer asks to be left alone. */
  readonly retryAfterMs?: number
  /** Where it points, if it does. */
  readonly redirect?: Redirect
}

/** A look at a site: there is no place for another method, nor for a body. */
export type GetRequest = Omit<HttpRequest, 'method' | 'body'>
