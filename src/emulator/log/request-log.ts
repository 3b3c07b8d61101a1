import type { RecordedRequest } from './recorded-request.js'

/** The requests to the sites of one emulator, oldest first; new requests replace the oldest. */
export interface RequestLog {
  add(request: Omit<RecordedRequest, 'id'>): RecordedRequest
  of(site: string): readonly RecordedRequest[]
  /** Lists requests newest first; with `before` only those with a smaller number. */
  newest(wanted: RequestFilter): readonly RecordedRequest[]
}

export interface RequestFilter {
  readonly site?: string | undefined
  readonly before?: number | undefined
  readonly limit: number
}

export const requestsKept = 1000

/** Makes a log of the last 1,000 requests of all sites together, so that many sites need no more memory than one. */
export function createRequestLog(): RequestLog {
  const entries: RecordedRequest[] = []
  let last = 0
  return {
    add(request) {
      last += 1
      const recorded = { id: last, ...request }
      entries.push(recorded)
      if (entries.length > requestsKept) entries.shift()
      return recorded
    },
    of: site => entries.filter(entry => entry.site === site),
    newest({ site, before = Number.POSITIVE_INFINITY, limit }) {
      return entries
        .filter(entry => entry.id < before && (site === undefined || entry.site === site))
        .slice(-limit)
        .reverse()
    },
  }
}
