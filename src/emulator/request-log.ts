import type { OperationName } from '../contract/operations.js'
import type { Fault } from './faults/fault.js'
import type { Part } from './service/request.js'

/** One request that came in whole, whatever became of it. */
export interface RecordedRequest {
  readonly at: number
  readonly method: string
  /** Below the base path, without the query; the whole path when it is not below any. */
  readonly path: string
  readonly operation: OperationName | 'unknown'
  readonly contentType: string
  readonly parts: readonly Part[]
  /** False when the service refused it, or a fault kept it from the service. */
  readonly accepted: boolean
  /** The fault that it met. */
  readonly fault?: Fault['kind']
}

/** What the sites of one emulator were asked, oldest first; old requests make room for new ones. */
export interface RequestLog {
  add(basePath: string, request: RecordedRequest): void
  of(basePath: string): readonly RecordedRequest[]
}

const requestsKept = 1000

/** A log that keeps the last 1,000 requests of all sites together, so that many sites need no more memory than one. */
export function requestLog(): RequestLog {
  const entries: { readonly basePath: string; readonly request: RecordedRequest }[] = []
  return {
    add(basePath, request) {
      entries.push({ basePath, request })
      if (entries.length > requestsKept) entries.shift()
    },
    of: wanted => entries.filter(({ basePath }) => basePath === wanted).map(({ request }) => request),
  }
}
