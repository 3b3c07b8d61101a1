import type { OperationName } from '../../contract/operation-name.js'
import type { StageName } from '../../contract/stages.js'
import type { ServiceVersion } from '../../contract/versions.js'

/**
 * Whether the request is carried out first. Before: it came in whole, and the service never saw it. After: it was
 * carried out, and only the answer is in trouble. The two look alike to a client, which is the whole point.
 */
export type Point = 'before' | 'after'

/** What goes wrong with one request or its answer. Plain data; times in milliseconds, sizes in bytes. */
export type Fault =
  /** Nothing but time passes, before the request is carried out or after it. */
  | { readonly kind: 'delay'; readonly point: Point; readonly ms: number }
  /** The connection ends without a byte of an answer: in good order, or with a reset. */
  | { readonly kind: 'drop' | 'reset'; readonly point: Point }
  /** No answer ever comes, and the connection stays. */
  | { readonly kind: 'hang'; readonly point: Point }
  /** A web page where JSON belongs, as from a login or a gateway. */
  | { readonly kind: 'html'; readonly point: Point; readonly httpStatus: number }
  /** Another status, with an error body or with nothing. `retryAfter` is in seconds. */
  | {
      readonly kind: 'status'
      readonly point: Point
      readonly httpStatus: number
      readonly retryAfter?: number
      readonly body: 'json' | 'empty'
    }
  /** An error body under status 200. Service §2.2. */
  | { readonly kind: 'error'; readonly point: Point; readonly code: number; readonly message: string }
  /** The answer points elsewhere, and never off this machine. */
  | {
      readonly kind: 'redirect'
      readonly point: Point
      readonly httpStatus: number
      readonly location: string
    }
  /** The request is carried out twice, as behind a balancer that tries again, and one of the two answers travels. */
  | { readonly kind: 'duplicate'; readonly answer: 'first' | 'second' }
  /** The connection ends after so many bytes of the body; the announced length stays that of the whole. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The body comes at so many bytes a second. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The announced length is so much too great or, below zero, too small. */
  | { readonly kind: 'length'; readonly by: number }
  /** The body is no JSON, or JSON of another shape. */
  | { readonly kind: 'garbage' | 'wrong-shape' }
  /** The body is JSON of this many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** So many interim answers come before the real one. */
  | { readonly kind: 'interim'; readonly count: number; readonly everyMs: number }

/** What goes wrong with the site itself. Plain data. */
export type SiteFault =
  /** The stage from which the rule counts takes this much longer; without a time it never ends. */
  | { readonly kind: 'stall'; readonly ms?: number }
  /** That stage fails at its end, and the whole configuration with it. */
  | { readonly kind: 'fail'; readonly message: string }
  /** The course falls back to the beginning of an earlier stage, so long after the place, and goes on from there. */
  | { readonly kind: 'back'; readonly to: StageName; readonly afterMs: number }
  /** The site forgets its configuration. */
  | { readonly kind: 'forget' }
  /** The address leads to another site from now on, where nothing is configured. */
  | { readonly kind: 'replace'; readonly version?: ServiceVersion; readonly build?: string }
  /** The overall state or the message reads so. */
  | { readonly kind: 'state' | 'message'; readonly text: string }
  /** One stage goes by another name, is not listed, or is listed twice. */
  | { readonly kind: 'rename'; readonly stage: StageName; readonly to: string }
  | { readonly kind: 'hide' | 'repeat'; readonly stage: StageName }
  /** So many stages that nobody knows, or warnings, are listed besides. */
  | { readonly kind: 'stages' | 'warnings'; readonly count: number }
  /** The clock of the service is wrong by so much. */
  | { readonly kind: 'skew'; readonly ms: number }

/** A moment in the course of a configuration: when a stage begins, when all are through, or so long after it began. */
export type Place = StageName | 'ready' | number

/** Which calls a rule is for, counted from 1 for its operation; of a rule about the site, looks at the root. */
export type Calls =
  | { readonly kind: 'every' }
  | { readonly kind: 'range'; readonly first: number; readonly last?: number }
  /** By chance, which depends on the seed and the number of the call alone. */
  | { readonly kind: 'chance'; readonly share: number }

/** When a rule counts: all that is given must be so. */
export interface When {
  readonly calls: Calls
  readonly from?: Place
  /** How long from that place on. */
  readonly forMs?: number
}

/** One thing that goes wrong, where, and when. */
export type Rule = {
  readonly when: When
  /** How it was written, for people. */
  readonly word?: string
} & (
  | { readonly on: OperationName | 'any'; readonly fault: Fault }
  | { readonly on: 'site'; readonly fault: SiteFault }
)

/** False where the service never sees a request that meets this fault. */
export function isCarriedOut(fault: Fault | undefined): boolean {
  return fault === undefined || fault.kind === 'delay' || !('point' in fault) || fault.point === 'after'
}
