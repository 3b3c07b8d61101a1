import type { ApplyEvent, Clock } from 'landform'
import { describeEvent, display } from 'landform/report'
import type { StageRecord } from 'landform/sites'
import type { RunProgress } from '../model/run.js'
import type { RunLog, RunNote } from './run-ports.js'

/** Receives the events of an apply. */
export interface EventReceiver {
  report(event: ApplyEvent): Promise<void>
}

/** Records the events of a step in the log of a run. */
export interface RunReporter extends EventReceiver {
  note(note: RunNote): void
  progress(progress: RunProgress): void
  /** Writes buffered events. */
  flush(): Promise<void>
}

/** Thousands of sites write to one database, so writes are limited. */
const betweenMs = 1000
const limits = { notes: 100, stages: 50, warnings: 50, characters: 300 } as const

/** Events that repeat others in the log. */
const omittedEvents: readonly ApplyEvent['type'][] = [
  'stream-started',
  'stream-finished',
  'action-finished',
  'heartbeat',
]

/**
 * Writes at most once per second, and no heartbeats. A failed write is kept for the next time and stops nothing: the state
 * of the site is authoritative.
 */
export function createRunReporter(runLog: RunLog, clock: Clock): RunReporter {
  let notes: readonly RunNote[] = []
  let pending: RunProgress = {}
  let warnings: readonly string[] | undefined
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
  const news = async (said: readonly string[]) => {
    if (said.length === 0) return []
    const before = warnings ?? (await readLastWritten(runLog)).warnings
    const fresh = said.map(text => display(text, limits.characters)).filter(text => !before.includes(text))
    warnings = [...before, ...fresh].slice(0, limits.warnings)
    if (fresh.length > 0) pending = { ...pending, warnings }
    return fresh
  }
  return {
    flush,
    note(note) {
      notes = [...notes, note]
    },
    progress(progress) {
      pending = { ...pending, ...progress }
    },
    async report(event) {
      const remaining = await withoutKnownWarnings(event, news)
      if (event.type === 'stages-changed')
        pending = { ...pending, stages: event.stages.slice(0, limits.stages).map(escapeStage) }
      if (remaining !== undefined && !omittedEvents.includes(remaining.type) && !isRoutine(remaining))
        notes = [...notes, { type: remaining.type, message: describeEvent(remaining) }]
      // Nothing may delay the request after its submission intent was recorded.
      if (event.type === 'intent-written') return
      if (clock.monotonicMs() - writtenMs >= betweenMs) await flush()
    },
  }
}

/** Reads the last written state; an unreadable one counts as empty. */
export async function readLastWritten(runLog: RunLog): ReturnType<RunLog['readLast']> {
  try {
    return await runLog.readLast()
  } catch {
    return { stages: [], warnings: [] }
  }
}

/** Removes warnings that were recorded before: each wait receives all of them again. */
async function withoutKnownWarnings(
  event: ApplyEvent,
  news: (said: readonly string[]) => Promise<readonly string[]>,
): Promise<ApplyEvent | undefined> {
  if (event.type === 'site-ready') await news(event.warnings)
  if (event.type !== 'site-said') return event
  const fresh = await news(event.warnings)
  return event.message === undefined && fresh.length === 0 ? undefined : { ...event, warnings: fresh }
}

function isRoutine(event: ApplyEvent): boolean {
  if (event.type === 'action-started') return event.change === 'no-op'
  if (event.type === 'site-locked') return event.former === undefined
  return event.type === 'stages-changed' && event.changed.length === 0
}

/** Escapes names and states, which come from the service. */
function escapeStage({ name, state, ...times }: StageRecord): StageRecord {
  return { ...times, name: display(name, 100), state: display(state, 60) }
}
