import { isOwnError } from '../contract/error-body.js'
import type { ServiceMessage } from '../plan/observation.js'
import type { ShownCertificate } from '../plan/shown-certificate.js'
import type { Result } from '../result.js'
import type { AnswerCause } from './answer-cause.js'

/** A value, or an expected way for a call to go wrong. */
export type Reply<T> = Result<T, ServiceFailure>

/**
 * A failure of a call. Only `not-sent` always proves that the service did not receive the request; `isCertain` and `isProven`
 * judge the others. Texts of the service are untrusted.
 */
export type ServiceFailure =
  /** No byte of the request was written. */
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
      /** A code of Node, OpenSSL or undici, `TIMEOUT`, or a status such as `HTTP_407` of a proxy. */
      readonly reason: string
      /** The rejected certificate of the site, if it showed one. */
      readonly certificate?: ShownCertificate
      /** The proxy that failed, as host and port, and the environment variable that names it. */
      readonly proxy?: { readonly host: string; readonly variable: string }
    }
  /** The request was sent, at least in part, but no complete response came back. */
  | { readonly kind: 'no-answer'; readonly reason: string }
  | UnexpectedResponse
  /** No root resource at the address of the site: the path is wrong, or the site is not up yet. */
  | ({ readonly kind: 'not-found'; readonly status: number } & Sender & Partial<ServiceMessage>)
  /** A redirect, which Landform does not follow. */
  | ({ readonly kind: 'redirected'; readonly status: number } & Sender & Redirect)
  /** A rejection with an error body. The code is absent if the body has none. */
  | ({ readonly kind: 'refused'; readonly status: number; readonly code?: number } & ErrorForm &
      ServiceMessage)
  /**
   * The token is missing, wrong or expired, or the role is insufficient. With a `cause`, something in front of the service
   * denied access, and a token may not help. `target` is the address of a redirect to a sign-in. Public sources.
   */
  | ({
      readonly kind: 'unauthorized'
      readonly status: number
      readonly code?: number
      /**
       * `account-rejected`: the token service rejected the account; its text is not kept. `no-secret`: a secret for signing
       * in is missing; the message is Landform's own.
       */
      readonly reason?: 'account-rejected' | 'no-secret'
      readonly target?: string
      /** No token was available: another try does not help. */
      readonly isTokenless?: true
    } & Sender &
      ErrorForm &
      ServiceMessage)
  /** The service, or something in front of it, is unavailable, by the HTTP status or the code of an error body. */
  | ({
      readonly kind: 'trouble'
      readonly status: number
      readonly code?: number
      /** The pause that the service asks for. */
      readonly retryAfterMs?: number
    } & Sender &
      ErrorForm &
      Partial<ServiceMessage>)

/** The facts about the sender of a response. The cause is set only if the response is not the service's own. */
export interface Sender {
  readonly cause?: AnswerCause
  /** The header `Server`. Untrusted. */
  readonly server?: string
  /** The realm of an authentication challenge, which no site sends; empty without a name. Untrusted. */
  readonly realm?: string
  /** The request carried the token of the site. */
  readonly hadToken?: true
  /** The length of the request body, if the status is 400 or more; in a failure, only if that may be the cause. */
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
  /** The path, with the origin if that differs. Never the query, which may contain a secret of the site. */
  readonly target?: string
}

/** The reason why a response is not understood. */
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

/** A response without a documented shape. */
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
 * True if the service certainly did nothing: no byte was sent, or a complete response is a rejection. A rejection with a 5xx
 * status counts only if its body is the service's own: any other may come from a proxy in front of a service that continued.
 */
export function isCertain(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  if (failure.kind !== 'refused' && failure.kind !== 'unauthorized') return false
  if ('cause' in failure && failure.cause === 'sign-in') return false
  return failure.status < 500 || isOwnError(failure)
}

/**
 * True if a `configure` provably had no effect: it was not sent, or the response is the documented error body with a code
 * that no gateway invents. A response that something in front of the service could have sent leaves open whether another copy
 * of the request arrives. Service §2.2.
 */
export function isProven(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  if (failure.kind !== 'refused' && failure.kind !== 'unauthorized') return false
  return failure.status < 500 && isOwnError(failure)
}

/** True for a response that the service did not send itself: a page, a redirect, or a status of something in front of it. */
export function isForeignAnswer(failure: ServiceFailure): failure is ForeignAnswer {
  return failure.kind !== 'not-sent' && 'cause' in failure && failure.cause !== undefined
}

/** A response that the service did not send itself. */
export type ForeignAnswer = Exclude<
  ServiceFailure,
  { readonly kind: 'not-sent' | 'no-answer' | 'refused' }
> & {
  readonly cause: AnswerCause
}

/** False for a response that another try would only repeat: a redirect, a sign-in page, or a page with 404, 405 or 413. */
export function mayPass({ kind, ...failure }: ServiceFailure): boolean {
  const says = 'status' in failure && failure.status >= 300 && failure.status < 500
  return kind !== 'redirected' && kind !== 'unauthorized' && !(kind === 'not-understood' && says)
}

/**
 * True if the failure shows that the service is not up yet: no name, no listener, or only an ingress. A rejected certificate
 * or sign-in comes from a service that is up, and waiting does not fix it.
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

/** The statuses of an ingress that does not reach its service. */
function isOfIngress(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
