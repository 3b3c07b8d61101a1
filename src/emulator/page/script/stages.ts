import { byId, element, markElement, say } from '../../../../packages/page/script/element.js'
import { duration, markOf } from '../../../../packages/page/script/words.js'
import type { EmulatedSiteStatus, StageStatus } from '../../control/state-document.js'
import { siteWord } from './words.js'

type StageRow = ReturnType<typeof newRow>

const rows: StageRow[] = []
const cells = new Map<string, readonly [HTMLElement, HTMLElement]>()

/** Shows the fourteen stages of the selected site, its state and its counters. */
export function showSite({ state, through, stages, counters }: EmulatedSiteStatus, now: number): void {
  byId('state').className = state
  say(byId('state'), siteWord(state))
  byId('overall', HTMLProgressElement).value = through
  say(byId('through'), `${through} of ${stages.length} stages complete`)
  for (const [index, stage] of stages.entries()) showStage(rowAt(index), stage, now)
  for (const [name, { received, accepted }] of Object.entries(counters)) {
    const [left, right] = cellsOf(name)
    say(left, `${received}`)
    say(right, `${accepted}`)
  }
}

function cellsOf(name: string): readonly [HTMLElement, HTMLElement] {
  const known = cells.get(name)
  if (known !== undefined) return known
  const head = element('th', '', element('code', '', name))
  head.scope = 'row'
  const both = [element('td'), element('td')] as const
  cells.set(name, both)
  byId('counters').append(element('tr', '', head, ...both))
  return both
}

function showStage({ row, mark, word, name, time, bar }: StageRow, stage: StageStatus, now: number): void {
  const { state, startTime, lastUpdated, durationMs } = stage
  const [sign, meaning] = markOf(state)
  const isRunning = state === 'in_progress'
  const ran = (isRunning ? now : lastUpdated) - startTime
  row.className = state
  say(mark, sign)
  say(word, `${meaning}: `)
  say(name, stage.name)
  say(time, timeText(stage, Math.max(0, ran)))
  bar.value = isRunning && durationMs !== null && durationMs > 0 ? Math.min(1, ran / durationMs) : 0
}

function timeText({ state, durationMs }: StageStatus, ran: number): string {
  if (state === 'not_applicable') return 'does not apply'
  if (durationMs === null) return state === 'in_progress' ? `${duration(ran)} so far` : ''
  if (state === 'in_progress') return `${duration(Math.min(ran, durationMs))} of ${duration(durationMs)}`
  return duration(state === 'not_started' ? durationMs : ran)
}

function rowAt(index: number): StageRow {
  const row = rows[index] ?? newRow()
  rows[index] = row
  return row
}

function newRow() {
  const mark = markElement()
  const word = element('span', 'unseen')
  const name = element('span')
  const time = element('span', 'time')
  const bar = element('progress')
  bar.ariaHidden = 'true'
  const row = element('li', '', mark, element('span', '', word, name), time, bar)
  byId('stages').append(row)
  return { row, mark, word, name, time, bar }
}
