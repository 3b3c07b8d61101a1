import type { ServiceResponse } from '../service/request.js'

/** The result of a request: its effect on the service, and what its sender gets to see. */
export interface Delivery {
  /** The number of times it was carried out. */
  readonly carriedOut: number
  /** True if the service accepted it. */
  readonly accepted: boolean
  /** The response of the service itself, to the first execution. */
  readonly response?: ServiceResponse
  readonly ending: RequestEnding
}

/** The action on the socket. */
export type RequestEnding = SentAnswer | Silence

/** An answer, or a part of one. */
export interface SentAnswer {
  readonly kind: 'answer'
  readonly httpStatus: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: AnswerContent
  /** The announced length, if it is not that of the content. */
  readonly announcedBytes?: number
  readonly waitMs?: number
  /** Interim answers before it. */
  readonly interim?: { readonly count: number; readonly everyMs: number }
  /** The connection ends after this many bytes of the content. */
  readonly cutAfterBytes?: number
  readonly bytesPerSecond?: number
}

/** No answer at all. */
export interface Silence {
  readonly kind: 'silence'
  readonly end: 'close' | 'reset' | 'never'
}

/** Bytes, or generated JSON that is too large for memory. */
export type AnswerContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'filler'; readonly totalBytes: number }
