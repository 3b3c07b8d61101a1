import type { ApplyEvent } from '../apply/event.js'
import type { StageRecord } from '../plan/observation.js'
import { formatDuration } from './duration.js'
import { progress } from './event-text.js'
import type { Paint } from './paint.js'
import { formatStages } from './status.js'

/** What a terminal shows while the site is being configured. */
export interface LiveView {
  readonly stages: readonly StageRecord[]
}

export interface Screen {
  readonly paint: Paint
  readonly columns: number
}

/** The view after an event; the same object where nothing of it changed. */
export function nextView(view: LiveView, event: ApplyEvent): LiveView {
  return event.type === 'stages-changed' ? { stages: event.stages } : view
}

/** The view as lines: the stages, then the time and the sum. Nothing before the first stages are known. */
export function formatView(view: LiveView, elapsedMs: number, { paint, columns }: Screen): string {
  if (view.stages.length === 0) return ''
  const sum = `  ${formatDuration(elapsedMs)}, ${progress(view.stages)}`.slice(0, columns)
  return [...formatStages(view.stages, paint, columns), paint('dim', sum)].join('\n')
}
