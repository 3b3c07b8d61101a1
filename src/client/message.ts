import type { Redirect } from './failure.js'
import type { Route } from './route.js'
import type { PartOfBody, RequestBody } from './wire/multipart.js'

/** A request without its time limits and the way to its server. */
export interface Message {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Base URL of the site. */
  readonly url: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly body?: RequestBody | PiecedBody
  /** The header of that name. It is a text, which cannot be wiped: only for reading what takes the token in no body. */
  readonly authorization?: string
  /** Replaces the headers for a site, in a request to another server. */
  readonly headers?: Readonly<Record<string, string>>
  /** The header of the answer to keep. */
  readonly answerHeader?: string
  /** A longer answer counts as none. */
  readonly maxAnswerBytes?: number
}

export interface HttpRequest extends Message {
  /** The time limit of the whole call. */
  readonly deadlineMs: number
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

/** A request that only reads a site: it has no other method and no body. */
export type GetRequest = Omit<HttpRequest, 'method' | 'body' | 'headers' | 'answerHeader'>
