import type { ApplyEvent } from '../../apply/event.js'
import type { StageRecord } from '../../plan/observation.js'
import { clipText, countColumns, padText } from '../columns.js'
import { display } from '../display.js'
import { formatDuration } from '../duration.js'
import { describeEvent, formatProgress } from '../event-text.js'
import type { Screen } from '../live-view.js'

/** One site in progress, as a terminal shows it. */
export interface RunningSite {
  readonly startedMs: number
  /** The description of its last event. */
  readonly words: string
  readonly stages: readonly StageRecord[]
}

/** The live view of a run over many sites: those in progress. */
export interface FleetView {
  readonly running: ReadonlyMap<string, RunningSite>
  readonly ended: number
  readonly all: number
}

/** The maximum number of rows, however many sites run at once. */
const maxRows = 10
/** Names get a third of a narrow screen, so that there is room for the events. */
const maxNameColumns = 24

/** Updates a site with an event. */
export function updateRunning(site: RunningSite, event: ApplyEvent): RunningSite {
  if (event.type === 'stages-changed')
    return { ...site, stages: event.stages, words: formatProgress(event.stages) }
  return event.type === 'heartbeat' ? site : { ...site, words: describeEvent(event) }
}

/** Formats the view as lines that fit the screen. */
export function formatFleetView(
  { running, ended, all }: FleetView,
  nowMs: number,
  { paint, columns, rows }: Screen,
): readonly string[] {
  const room = rows === 0 ? maxRows : Math.max(1, Math.min(maxRows, rows - 4))
  const shown = [...running].slice(0, room)
  const longest = Math.max(0, ...shown.map(([name]) => countColumns(display(name))))
  const width = Math.min(maxNameColumns, Math.floor(columns / 3), longest)
  const lines = shown.map(([name, { startedMs, words }]) => {
    const time = formatDuration(nowMs - startedMs).padStart(7)
    return clipText(`  ${padText(clipText(display(name), width), width)} ${time}  ${words}`, columns)
  })
  const hidden = running.size - shown.length
  const more = hidden > 0 ? [`  … and ${hidden} more`] : []
  return [
    ...lines,
    ...more,
    paint('dim', clipText(`  ${ended} of ${all} finished, ${running.size} in progress`, columns)),
  ]
}
