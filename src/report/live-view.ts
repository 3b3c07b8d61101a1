import type { ApplyEvent } from '../apply/generated/event.js'
import type { ServiceFailure } from '../client/failure.js'
import type { StageRecord } from '../plan/generated/stage.js'
import { formatState } from './anomalies.js'
import { display } from './display.js'
import { describeFailure } from './endings/service.js'
import { formatStageCount } from './events.js'
import { formatDuration } from './phrase.js'
import { selectStageStyle } from './status.js'
import { clipText, countColumns, type Paint, padText } from './terminal.js'

/** The live view of a terminal while the site is being configured. Times are of the clock behind `nowMs`. */
interface LiveView {
  readonly stages: readonly StageRecord[]
  /** The observed start or the duration of each stage, by name. */
  readonly times: ReadonlyMap<string, { readonly beganMs: number } | { readonly tookMs: number }>
  /** The estimated end of the configuration, from the timings of an earlier one. */
  readonly endMs?: number
  readonly message?: string
  readonly warnings: readonly string[]
  readonly failure?: ServiceFailure
  /** The time at which the next poll is due. */
  readonly nextPollMs?: number
}

export const emptyView: LiveView = { stages: [], times: new Map(), warnings: [] }

export interface Screen {
  readonly paint: Paint
  readonly columns: number
  /** 0 if unknown. */
  readonly rows: number
}

/** Updates the view with an event. */
export function updateView(view: LiveView, event: ApplyEvent, nowMs: number): LiveView {
  const { failure: _, ...seen } = view
  switch (event.type) {
    case 'stages-changed':
      return {
        ...withEstimate(seen, event.leftMs, nowMs),
        stages: event.stages,
        times: updateTimes(view, event, nowMs),
      }
    case 'heartbeat':
      return withEstimate(view, event.leftMs, nowMs)
    case 'site-said':
      return {
        ...seen,
        ...(event.message !== undefined && { message: event.message }),
        warnings: [...view.warnings, ...event.warnings],
      }
    case 'observation-failed':
      return { ...view, failure: event.failure }
    case 'observation-restored':
    case 'site-ready':
      return seen
    default:
      return view
  }
}

/** Formats the view as lines that fit the screen. Empty before the first stages are known. */
export function formatView(view: LiveView, nowMs: number, screen: Screen): readonly string[] {
  const { paint, columns, rows } = screen
  if (view.stages.length === 0) return []
  const width = columns - 1
  const text = (line: string) => paint('dim', clipText(`  ${line}`, width))
  const last = view.warnings.at(-1)
  const warned = view.warnings.length === 1 ? 'warning: ' : `${view.warnings.length} warnings, last: `
  const below = [
    ...flowParts(formatSums(view, nowMs), width - 2).map(text),
    ...(view.failure === undefined
      ? []
      : [paint('yellow', clipText(`  polling fails: ${describeFailure(view.failure)}`, width))]),
    ...(view.message === undefined ? [] : [text(display(view.message, 300))]),
    ...(last === undefined ? [] : [paint('yellow', clipText(`  ${warned}${display(last, 300)}`, width))]),
  ]
  const room = rows === 0 ? view.stages.length : Math.max(1, rows - 1 - below.length)
  const shown = selectStages(view.stages, room)
  const lines = [...shown.map(stage => formatStageLine(view, stage, { nowMs, screen })), ...below]
  return rows === 0 ? lines : lines.slice(0, Math.max(1, rows - 1))
}

function withEstimate(view: LiveView, leftMs: number | undefined, nowMs: number): LiveView {
  const { endMs: _, ...rest } = view
  return leftMs === undefined ? rest : { ...rest, endMs: nowMs + leftMs }
}

function updateTimes(
  { times }: LiveView,
  { changed }: ApplyEvent & { readonly type: 'stages-changed' },
  nowMs: number,
): LiveView['times'] {
  const after = new Map(times)
  for (const { name, state, from, durationMs } of changed) {
    after.delete(name)
    if (durationMs !== undefined) after.set(name, { tookMs: durationMs })
    else if (state === 'in_progress' && from !== null) after.set(name, { beganMs: nowMs })
  }
  return after
}

function formatSums({ stages, endMs, nextPollMs }: LiveView, nowMs: number): readonly string[] {
  return [
    formatDuration(nowMs),
    formatStageCount(stages),
    ...(endMs === undefined ? [] : [`about ${formatDuration(endMs - nowMs)} left`]),
    ...(nextPollMs === undefined || nextPollMs - nowMs < 1000
      ? []
      : [`next poll in ${formatDuration(nextPollMs - nowMs)}`]),
  ]
}

function flowParts(parts: readonly string[], columns: number): readonly string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.pop()
    const longer = last === undefined ? part : `${last}, ${part}`
    if (last === undefined || countColumns(longer) <= columns) lines.push(longer)
    else lines.push(last, part)
  }
  return lines
}

/** Below this width a line has no room for the name of a state; the sign replaces it. */
const narrow = 60
const timeColumns = 8

function formatStageLine(
  { times }: LiveView,
  { name, state }: StageRecord,
  { nowMs, screen: { paint, columns } }: { readonly nowMs: number; readonly screen: Screen },
): string {
  const { sign, colour, isKnown } = selectStageStyle(state)
  const time = times.get(name)
  const ms = time === undefined ? undefined : 'tookMs' in time ? time.tookMs : nowMs - time.beganMs
  const width = columns - 1 - 4
  const took = ms === undefined || width < 2 * timeColumns ? '' : formatDuration(ms).padStart(timeColumns)
  const room = width - timeColumns
  if (columns >= narrow) {
    const shown = padText(clipText(display(name, 60), 32), 32)
    const words = padText(clipText(formatState(state), room - 33), Math.min(room - 33, 14))
    return `  ${paint(colour, sign)} ${shown} ${paint(colour, took === '' ? words.trimEnd() : words)}${took}`
  }
  const shown = isKnown ? display(name, 60) : `${display(name, 60)}: ${formatState(state)}`
  const line = took === '' ? clipText(shown, width) : padText(clipText(shown, room), room)
  return `  ${paint(colour, sign)} ${line}${took}`
}

/** Selects the stages to show when not all fit: running and unknown ones first, then waiting, then complete ones. */
function selectStages(stages: readonly StageRecord[], room: number): readonly StageRecord[] {
  const ranks = { running: 0, waiting: 1, through: 2 } as const
  const rank = ({ state }: StageRecord) => ranks[selectStageStyle(state).progress]
  const kept = new Set([...stages].sort((a, b) => rank(a) - rank(b)).slice(0, room))
  return stages.filter(stage => kept.has(stage))
}
