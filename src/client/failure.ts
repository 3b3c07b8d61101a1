/** A value, or an expected way for a call to go wrong. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ServiceFailure }

/**
 * How a call can go wrong. `not-sent` alone proves that the service saw nothing of it; after every other kind but
 * `refused` and `unauthorized` with a status below 500 the outcome is unknown. Texts of the service are untrusted.
 */
export type ServiceFailure =
  /** Nothing was written on the connection, if there was one: not a byte of the request left. */
  | {
      readonly kind: 'not-sent'
      readonly cause:
        | 'name'
        | 'address'
        | 'connection'
        | 'proxy'
        | 'proxy-sign-in'
        | 'tls'
        | 'stopped'
        | 'sign-in'
      readonly reason: string
    }
  /** The request, or a part of it, went out, and no whole answer came back. */
  | { readonly kind: 'no-answer'; readonly reason: string }
  /** An answer came that is none of the documented shapes. */
  | { readonly kind: 'not-understood'; readonly status: number; readonly reason: string }
  /** The answer points elsewhere; Landform follows nothing. */
  | { readonly kind: 'redirected'; readonly status: number }
  /** A whole error body. Service §2.2. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: number; readonly message: string }
  /** The token is missing, wrong or expired, or the role is not enough. */
  | {
      readonly kind: 'unauthorized'
      readonly status: number
      readonly code: number
      readonly message: string
    }
  /** The service, or something before it, is in trouble. */
  | {
      readonly kind: 'trouble'
      readonly status: number
      /** How long the service asks to be left alone. */
      readonly retryAfterMs?: number
    }

export function failed(failure: ServiceFailure): { readonly ok: false; readonly failure: ServiceFailure } {
  return { ok: false, failure }
}
