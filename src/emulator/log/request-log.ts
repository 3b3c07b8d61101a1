import type { OperationName } from '../../contract/parameter.js'
import type { Fault } from '../faults/fault.js'
import type { Json } from '../service/json.js'

/** The requests to the sites of one emulator, oldest first; new requests replace the oldest. */
export interface RequestLog {
  add(request: Omit<RecordedRequest, 'id'>): void
  of(site: string): readonly RecordedRequest[]
}

const requestsKept = 1000

/** Makes a log of the last 1,000 requests of all sites together, so that many sites need no more memory than one. */
export function createRequestLog(): RequestLog {
  const entries: RecordedRequest[] = []
  let last = 0
  return {
    add(request) {
      last += 1
      entries.push({ id: last, ...request })
      if (entries.length > requestsKept) entries.shift()
    },
    of: site => entries.filter(entry => entry.site === site),
  }
}

/** One complete request with any result, without secrets. */
export interface RecordedRequest {
  /** The number of the request among all requests to one emulator, from 1. */
  readonly id: number
  /** The base path of the site. */
  readonly site: string
  /** Milliseconds since 1970 on the clock of the service. */
  readonly at: number
  readonly method: string
  /** The path below the base path, without the query; segments that no path of the service has are removed. */
  readonly path: string
  readonly operation: OperationName | 'unknown'
  /** The media type, if the service accepts it. */
  readonly contentType: string
  readonly parameters: readonly RecordedParameter[]
  /** The number of further parameters. */
  readonly more: number
  /** The status of the answer that was sent; null if there was none. */
  readonly httpStatus: number | null
  /** True if the service accepted it, even if a fault kept the answer from the client. */
  readonly accepted: boolean
  /** The kind of the fault that it met. */
  readonly fault?: Fault['kind']
  /** The message of the error body, without the texts that it quotes. */
  readonly problem?: string
}

/** One parameter, redacted; `bytes` is the size that was sent. */
export type RecordedParameter = { readonly name: string; readonly bytes: number } & (
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'file'; readonly fileName: string; readonly contentType: string }
  | { readonly kind: 'hidden'; readonly why: 'secret' | 'unknown' | 'in the address' | 'malformed' }
)
