import type { RecordedRequest } from './recorded-request.js'

/** What the sites of one emulator were asked, oldest first; old requests make room for new ones. */
export interface RequestLog {
  add(request: Omit<RecordedRequest, 'id'>): RecordedRequest
  of(site: string): readonly RecordedRequest[]
  /** Newest first, and older than one of them when its number is given. */
  newest(wanted: Wanted): readonly RecordedRequest[]
}

export interface Wanted {
  readonly site?: string | undefined
  readonly before?: number | undefined
  readonly limit: number
}

export const requestsKept = 1000

/** A log that keeps the last 1,000 requests of all sites together, so that many sites need no more memory than one. */
export function requestLog(): RequestLog {
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
