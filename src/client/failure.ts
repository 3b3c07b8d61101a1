import type { ServiceMessage } from '../plan/service-message.js'
import type { Result } from '../result.js'

/** A value, or an expected way for a call to go wrong. */
export type Reply<T> = Result<T, ServiceFailure>

/**
 * A failure of a call. Only `not-sent` proves that the service did not see it; `is-certain.ts` judges the other kinds.
 * Texts of the service are untrusted.
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
      /** A code: of Node, OpenSSL or undici, `TIMEOUT`, or `HTTP_407` and the like of a proxy. */
      readonly reason: string
    }
  /** The request, or a part of it, went out, and no whole answer came back. */
  | { readonly kind: 'no-answer'; readonly reason: string }
  | UnexpectedResponse
  /** A sign-in page came instead of JSON. Public sources. */
  | { readonly kind: 'sign-in-page'; readonly status: number }
  /** No root resource is at the address of the site: the path is another, or the site is not up yet. */
  | ({ readonly kind: 'not-found'; readonly status: number } & Partial<ServiceMessage>)
  /** The answer points elsewhere; Landform follows nothing. */
  | ({ readonly kind: 'redirected'; readonly status: number } & Redirect)
  /** An error body in which the service says no. The code is absent where it gives none. Service §2.2. */
  | ({ readonly kind: 'refused'; readonly status: number; readonly code?: number } & ServiceMessage)
  /**
   * The token is missing, wrong or expired, or the role is not enough. Without an error body the code is absent: a
   * proxy may have set the HTTP status.
   */
  | ({
      readonly kind: 'unauthorized'
      readonly status: number
      readonly code?: number
      /** The token service rejected the account, in words that are not kept. */
      readonly reason?: 'account-rejected'
    } & ServiceMessage)
  /** The service, or something before it, is unavailable; by its HTTP status, or by the code of an error body. */
  | ({
      readonly kind: 'trouble'
      readonly status: number
      readonly code?: number
      /** The pause that the service asks for. */
      readonly retryAfterMs?: number
    } & Partial<ServiceMessage>)

/** The target of a redirect. */
export interface Redirect {
  /** `slash`: only a slash at the end of the path is added. */
  readonly to?: 'sign-in' | 'slash' | 'elsewhere'
  /** The path, with the origin where that is another; never the query, which may hold what only the site should know. */
  readonly target?: string
}

/** The code of why an answer is not one of the service. */
export type UnexpectedResponseReason =
  | 'not-a-json-object'
  | 'not-a-site-root'
  | 'unexpected-shape'
  | 'unexpected-status'
  | 'compressed'
  | 'no-configuration'
  | 'no-token'
  | 'no-export-location'

/** An answer of none of the documented shapes. */
export interface UnexpectedResponse extends Partial<ServiceMessage> {
  readonly kind: 'not-understood'
  readonly status: number
  readonly reason: UnexpectedResponseReason
  /** JSON pointer to the part that has another shape, where one does. */
  readonly at?: string
}

export function toFailure(error: ServiceFailure): Result<never, ServiceFailure> {
  return { ok: false, error }
}
