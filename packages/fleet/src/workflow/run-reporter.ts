import type { ApplyEvent, Clock } from 'landform'
import { describeEvent, display } from 'landform/report'
import type { Run, RunProgress } from '../model/run.js'
import type { RunLog, RunNote } from './run-ports.js'

/** Records the events of a run in its log. */
export type RunReporter = ReturnType<typeof createRunReporter>

/** Thousands of sites write to one database, so writes are limited. */
const betweenMs = 1000
const limits = { notes: 100, stages: 50, warnings: 50, characters: 300 } as const

/** Writes events at most once per second, and no heartbeats. A failed write is repeated with the next one; it stops nothing. */
export function createRunReporter(runLog: RunLog, clock: Clock, earlier: Pick<Run, 'warnings'>) {
  let notes: readonly RunNote[] = []
  let pending: RunProgress = {}
  let { warnings } = earlier
  let writtenMs = Number.NEGATIVE_INFINITY
  const flush = async () => {
    if (notes.length === 0 && Object.keys(pending).length === 0) return
    writtenMs = clock.monotonicMs()
    try {
      if (Object.keys(pending).length > 0) await runLog.progress(pending)
      pending = {}
      if (notes.length > 0) await runLog.add(notes)
      notes = []
    } catch {
      notes = notes.slice(-limits.notes)
    }
  }
  /** Returns the warnings that were not recorded before: each wait receives all of them again. */
  const recordWarnings = (all: readonly string[]) => {
    const before = warnings
    const fresh = all.map(text => display(text, limits.characters)).filter(text => !before.includes(text))
    warnings = [...before, ...fresh].slice(0, limits.warnings)
    if (fresh.length > 0) pending = { ...pending, warnings }
    return fresh
  }
  return {
    flush,
    note(note: RunNote) {
      notes = [...notes, note]
    },
    progress(progress: RunProgress) {
      pending = { ...pending, ...progress }
    },
    async report(event: ApplyEvent): Promise<void> {
      let shown = event
      if (event.type === 'site-ready') recordWarnings(event.warnings)
      if (event.type === 'site-said') shown = { ...event, warnings: recordWarnings(event.warnings) }
      // Names and states come from the service, so they are escaped and shortened.
      if (event.type === 'stages-changed') {
        const stages = event.stages
          .slice(0, limits.stages)
          .map(one => ({ ...one, name: display(one.name, 100), state: display(one.state, 60) }))
        pending = { ...pending, stages }
      }
      if (!isRoutine(shown)) notes = [...notes, { type: shown.type, message: describeEvent(shown) }]
      // Nothing may delay the request after its submission intent was recorded.
      if (event.type === 'intent-written') return
      if (clock.monotonicMs() - writtenMs >= betweenMs) await flush()
    },
  }
}

/** True for events that repeat others in the log. */
function isRoutine(event: ApplyEvent): boolean {
  switch (event.type) {
    case 'stream-started':
    case 'stream-finished':
    case 'action-finished':
    case 'heartbeat':
      return true
    case 'action-started':
      return event.change === 'no-op'
    case 'site-locked':
      return event.former === undefined
    case 'site-said':
      return event.message === undefined && event.warnings.length === 0
    case 'stages-changed':
      return event.changed.length === 0
    default:
      return false
  }
}
