import type { OperationName } from '../../contract/parameter.js'
import type { StageName } from '../../contract/responses.js'
import type { ServiceVersion } from '../../contract/versions.js'

/**
 * The time of a fault. Before: the request arrived whole, and the service never saw it. After: the request was carried
 * out, and only the answer is affected. A client cannot distinguish the two, so both must be tested.
 */
export type FaultPoint = 'before' | 'after'

/** A fault of one request or its answer. Plain data; times in milliseconds, sizes in bytes. */
export type Fault =
  /** A delay before or after the request is carried out. */
  | { readonly kind: 'delay'; readonly point: FaultPoint; readonly ms: number }
  /** The connection ends without a byte of an answer: closed, or reset. */
  | { readonly kind: 'drop' | 'reset'; readonly point: FaultPoint }
  /** No answer ever comes, and the connection stays open. */
  | { readonly kind: 'hang'; readonly point: FaultPoint }
  /** A web page instead of JSON: a login page, or from status 400 on the page of a gateway. */
  | { readonly kind: 'html'; readonly point: FaultPoint; readonly httpStatus: number }
  /** Another status, with a gateway's page, an error body or an empty body. `retryAfter` is in seconds. */
  | {
      readonly kind: 'status'
      readonly point: FaultPoint
      readonly httpStatus: number
      readonly retryAfter?: number
      readonly body: 'page' | 'json' | 'empty'
    }
  /** An error body under status 200. Service §2.2. */
  | { readonly kind: 'error'; readonly point: FaultPoint; readonly code: number; readonly message: string }
  /** A redirect, never to another machine. */
  | {
      readonly kind: 'redirect'
      readonly point: FaultPoint
      readonly httpStatus: number
      readonly location: string
    }
  /** The request is carried out twice, as behind a load balancer that retries, and one of the two answers is sent. */
  | { readonly kind: 'duplicate'; readonly answer: 'first' | 'second' }
  /** The connection ends after this many bytes of the body; the full length is announced. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body is sent at this many bytes per second. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The announced length is too large by this many bytes; a negative number makes it too small. */
  | { readonly kind: 'length'; readonly by: number }
  /** The body is not JSON, or JSON of another shape. */
  | { readonly kind: 'garbage' | 'wrong-shape' }
  /** The body is JSON of this many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** This many interim answers come before the real one. */
  | { readonly kind: 'interim'; readonly count: number; readonly everyMs: number }

/** A fault of the site itself. Plain data. */
export type SiteFault =
  /** The stage at which the rule starts takes this much longer; without a time it never ends. */
  | { readonly kind: 'stall'; readonly ms?: number }
  /** That stage fails at its end, and the whole configuration with it. */
  | { readonly kind: 'fail'; readonly message: string }
  /** The configuration falls back to the start of an earlier stage, this long after the place, and continues there. */
  | { readonly kind: 'back'; readonly to: StageName; readonly afterMs: number }
  /** The site forgets its configuration. */
  | { readonly kind: 'forget' }
  /** The address leads to another site from now on, where nothing is configured. */
  | { readonly kind: 'replace'; readonly version?: ServiceVersion; readonly build?: string }
  /** The site is upgraded in place, and keeps its configuration. */
  | { readonly kind: 'upgrade'; readonly version: ServiceVersion; readonly build?: string }
  /** The overall state or the message has this text. */
  | { readonly kind: 'state' | 'message'; readonly text: string }
  /** One stage has another name, is not listed, or is listed twice. */
  | { readonly kind: 'rename'; readonly stage: StageName; readonly to: string }
  | { readonly kind: 'hide' | 'repeat'; readonly stage: StageName }
  /** This many unknown stages, or warnings, are listed in addition. */
  | { readonly kind: 'stages' | 'warnings'; readonly count: number }
  /** The clock of the service is wrong by this much. */
  | { readonly kind: 'skew'; readonly ms: number }

/** A moment of a configuration: the start of a stage, the end of all, or a time after its beginning. */
export type FaultPlace = StageName | 'ready' | number

/** The calls to which a rule applies, counted from 1 per operation; for a rule about the site, polls of the root resource. */
export type Calls =
  | { readonly kind: 'every' }
  | { readonly kind: 'range'; readonly first: number; readonly last?: number }
  /** Random, depending only on the seed and the number of the call. */
  | { readonly kind: 'chance'; readonly share: number }

/** The conditions under which a rule applies; all that are given must hold. */
export interface FaultCondition {
  readonly calls: Calls
  readonly from?: FaultPlace
  /** The duration from that place on. */
  readonly forMs?: number
}

/** One fault, with its place and its conditions. */
export type FaultRule = {
  readonly when: FaultCondition
  /** The text of the rule, for display. */
  readonly word?: string
} & (
  | { readonly on: OperationName | 'any'; readonly fault: Fault }
  | { readonly on: 'site'; readonly fault: SiteFault }
)

/** False if the service never sees a request that meets this fault. */
export function isCarriedOut(fault: Fault | undefined): boolean {
  return fault === undefined || fault.kind === 'delay' || !('point' in fault) || fault.point === 'after'
}
