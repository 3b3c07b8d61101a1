import type { ServiceResponse } from '../service/request.js'

/** How a request ends, as a value: what became of it, and what its sender gets to see of that. */
export interface Delivery {
  /** How many times it was carried out. */
  readonly carriedOut: number
  /** True where the service took it. */
  readonly accepted: boolean
  /** What the service itself answered, the first time it was carried out. */
  readonly response?: ServiceResponse
  readonly ending: Ending
}

/** What the shell does with the socket. */
export type Ending = Answer | Silence

/** An answer, or a part of one. */
export interface Answer {
  readonly kind: 'answer'
  readonly httpStatus: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: Content
  /** Where the announced length is not that of the content. */
  readonly announcedBytes?: number
  readonly waitMs?: number
  /** Answers that come before it. */
  readonly interim?: { readonly count: number; readonly everyMs: number }
  /** The connection ends after so many bytes of the content. */
  readonly cutAfterBytes?: number
  readonly bytesPerSecond?: number
}

/** No answer at all. */
export interface Silence {
  readonly kind: 'silence'
  readonly end: 'close' | 'reset' | 'never'
}

/** Bytes, or JSON of a size that nobody wants to have in memory. */
export type Content =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'filler'; readonly totalBytes: number }
