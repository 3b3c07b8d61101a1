import type { ReportWorkerEvent, WorkerEvent } from '../model/worker-event.js'

const minuteMs = 60_000

/**
 * Limits repeated events to one per minute: while a database is unreachable, everything that uses it fails every second.
 * Other events are passed on at once.
 */
export function limitRepeats(report: ReportWorkerEvent, monotonicMs: () => number): ReportWorkerEvent {
  const reportedAt = new Map<string, number>()
  let isAway = false
  return event => {
    if (event.type === 'database-restored') {
      if (!isAway) return
      isAway = false
      reportedAt.clear()
    }
    const repeated = selectRepeatKey(event)
    if (repeated !== undefined) {
      const now = monotonicMs()
      for (const [text, at] of reportedAt) if (now - at >= minuteMs) reportedAt.delete(text)
      if (reportedAt.has(repeated)) return
      reportedAt.set(repeated, now)
    }
    if (event.type === 'database-failed') isAway = true
    report(event)
  }
}

/** Returns the text that identifies a repeated event. */
function selectRepeatKey(event: WorkerEvent): string | undefined {
  if (event.type === 'engine-said') return event.said
  return event.type === 'database-failed' ? 'database-failed' : undefined
}
