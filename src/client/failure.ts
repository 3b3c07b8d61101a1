import { isOwnError } from '../contract/error-body.js'
import type { ServiceMessage } from '../plan/observation.js'
import type { ShownCertificate } from '../plan/shown-certificate.js'
import type { Result } from '../result.js'
import type { AnswerCause } from './answer-cause.js'

/** A value, or an expected way for a call to go wrong. */
export type Reply<T> = Result<T, ServiceFailure>

/**
 * A failure of a call. Only `not-sent` proves that the service did not see it; `isCertain` and `isProven` judge the others.
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
      /** The rejected certificate of the site, where it showed one. */
      readonly certificate?: ShownCertificate
      /** The proxy that did not help, by its host and port, and the variable that names it. */
      readonly proxy?: { readonly host: string; readonly variable: string }
    }
  /** The request, or a part of it, went out, and no whole answer came back. */
  | { readonly kind: 'no-answer'; readonly reason: string }
  | UnexpectedResponse
  /** No root resource is at the address of the site: the path is another, or the site is not up yet. */
  | ({ readonly kind: 'not-found'; readonly status: number } & Sender & Partial<ServiceMessage>)
  /** The answer points elsewhere; Landform follows nothing. */
  | ({ readonly kind: 'redirected'; readonly status: number } & Sender & Redirect)
  /** An error body that says no. The code is absent where it gives none. */
  | ({ readonly kind: 'refused'; readonly status: number; readonly code?: number } & ErrorForm &
      ServiceMessage)
  /**
   * The token is missing, wrong or expired, or the role is not enough. With a cause, something else denied access: then a token
   * may not help. `target` is that of a redirect to a sign-in. Public sources.
   */
  | ({
      readonly kind: 'unauthorized'
      readonly status: number
      readonly code?: number
      /**
       * `account-rejected` by the token service, in words that are not kept; `no-secret` for signing in, in words of
       * Landform.
       */
      readonly reason?: 'account-rejected' | 'no-secret'
      readonly target?: string
      /** No token was at hand to show: another try does not help. */
      readonly isTokenless?: true
    } & Sender &
      ErrorForm &
      ServiceMessage)
  /** The service, or something before it, is unavailable; by its HTTP status, or by the code of an error body. */
  | ({
      readonly kind: 'trouble'
      readonly status: number
      readonly code?: number
      /** The pause that the service asks for. */
      readonly retryAfterMs?: number
    } & Sender &
      ErrorForm &
      Partial<ServiceMessage>)

/** What is known of the sender of an answer, and for one that is not the service's own, its cause. */
export interface Sender {
  readonly cause?: AnswerCause
  /** The header `Server`. Untrusted. */
  readonly server?: string
  /** The realm of an account that is none of a site; empty without a name. Untrusted. */
  readonly realm?: string
  /** The request carried the token of the site. */
  readonly hadToken?: true
  /** The length of the body of a request whose status is 400 or more; in a failure, where that may be the cause. */
  readonly sentBytes?: number
}

/** The form of an error body. */
export interface ErrorForm {
  /** The body is not that of Service §2.2: a gateway or another product may have sent it. */
  readonly isUndocumented?: true
}

/** The target of a redirect. */
export interface Redirect {
  /** `slash`: only a slash at the end of the path is added. */
  readonly to?: 'slash' | 'elsewhere'
  /** The path, with the origin if it is another; never the query, which may hold a secret of the site. */
  readonly target?: string
}

/** The reason that an answer is not understood. */
export type UnexpectedResponseReason =
  | 'not-a-json-object'
  | 'not-a-site-root'
  | 'unexpected-shape'
  | 'unexpected-status'
  | 'compressed'
  | 'cached'
  | 'no-configuration'
  | 'no-token'
  | 'no-export-location'

/** An answer without a documented shape. */
export interface UnexpectedResponse extends Sender, Partial<ServiceMessage> {
  readonly kind: 'not-understood'
  readonly status: number
  readonly reason: UnexpectedResponseReason
  /** JSON pointer to the part with another shape. */
  readonly at?: string
  /** The place where a text stops being JSON. */
  readonly place?: { readonly line: number; readonly column: number }
}

export function toFailure(error: ServiceFailure): Result<never, ServiceFailure> {
  return { ok: false, error }
}

/**
 * True if the service certainly did nothing: no byte was sent, or a complete answer is a rejection. A rejection with a 5xx
 * status counts only where its body is the service's own: another may come from something in front of a service that went on.
 */
export function isCertain(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  if (failure.kind !== 'refused' && failure.kind !== 'unauthorized') return false
  if ('cause' in failure && failure.cause === 'sign-in') return false
  return failure.status < 500 || isOwnError(failure)
}

/**
 * True if a `configure` provably did not reach the service: besides an unsent one, only the documented error body counts,
 * with a code that no gateway invents. An answer that something before the service could give as well leaves open whether
 * another copy of the request arrives. Service §2.2.
 */
export function isProven(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  if (failure.kind !== 'refused' && failure.kind !== 'unauthorized') return false
  return failure.status < 500 && isOwnError(failure)
}

/** True for an answer that the service did not give itself, but a page, a redirect, or the status of something in front of it. */
export function isForeignAnswer(failure: ServiceFailure): failure is ForeignAnswer {
  return failure.kind !== 'not-sent' && 'cause' in failure && failure.cause !== undefined
}

/** An answer that the service did not give itself. */
export type ForeignAnswer = Exclude<
  ServiceFailure,
  { readonly kind: 'not-sent' | 'no-answer' | 'refused' }
> & {
  readonly cause: AnswerCause
}

/** False for an answer that would only come again: a redirect, a sign-in page, or a page that says no, such as 404, 405 or 413. */
export function mayPass({ kind, ...failure }: ServiceFailure): boolean {
  const says = 'status' in failure && failure.status >= 300 && failure.status < 500
  return kind !== 'redirected' && kind !== 'unauthorized' && !(kind === 'not-understood' && says)
}

/**
 * True for a failure of an address whose service is not up yet: no name, no listener, or only an ingress in front of it. A
 * rejected certificate or sign-in comes from a service that is up, and waiting does not fix it.
 */
export function isNotUpYet(failure: ServiceFailure): boolean {
  switch (failure.kind) {
    case 'not-sent':
      return failure.cause === 'name' || failure.cause === 'connection'
    case 'no-answer':
      return !failure.reason.startsWith('ERR_SSL_')
    case 'trouble':
      return isOfIngress(failure.status)
    case 'not-understood':
      return failure.status === 404 || isOfIngress(failure.status)
    // With an error body, the service is up and has no site at this path.
    case 'not-found':
      return failure.message === undefined
    case 'refused':
    case 'unauthorized':
    case 'redirected':
      return false
    default:
      return failure satisfies never
  }
}

/** The statuses of an ingress for a service that it does not reach. */
function isOfIngress(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
