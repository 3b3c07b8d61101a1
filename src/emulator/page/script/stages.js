import { byId, element, say } from '../../../../packages/page/script/element.js'
import { duration, markOf } from '../../../../packages/page/script/words.js'
import { siteWord } from './words.js'

const rows = []
const cells = new Map()

/** Shows the fourteen stages of the selected site, its state and its counters. */
export function showSite({ state, through, stages, counters }, now) {
  byId('state').className = state
  say(byId('state'), siteWord(state))
  byId('overall').value = through
  say(byId('through'), `${through} of ${stages.length} stages complete`)
  for (const [index, stage] of stages.entries()) showStage(rowAt(index), stage, now)
  for (const [name, counter] of Object.entries(counters)) showCounter(name, counter)
}

function showCounter(name, { received, accepted }) {
  if (!cells.has(name)) {
    const head = element('th', '', element('code', '', name))
    head.scope = 'row'
    const both = [element('td'), element('td')]
    cells.set(name, both)
    byId('counters').append(element('tr', '', head, ...both))
  }
  const [left, right] = cells.get(name)
  say(left, `${received}`)
  say(right, `${accepted}`)
}

function showStage({ row, mark, word, name, time, bar }, stage, now) {
  const { state, startTime, lastUpdated, durationMs } = stage
  const [sign, meaning] = markOf(state)
  const ran = state === 'in_progress' ? now - startTime : lastUpdated - startTime
  const isRunning = state === 'in_progress'
  row.className = state
  say(mark, sign)
  say(word, `${meaning}: `)
  say(name, stage.name)
  say(time, timeText(state, Math.max(0, ran), durationMs))
  bar.value = isRunning && durationMs > 0 ? Math.min(1, ran / durationMs) : 0
}

function timeText(state, ran, durationMs) {
  if (state === 'not_applicable') return 'does not apply'
  if (durationMs === null) return state === 'in_progress' ? `${duration(ran)} so far` : ''
  if (state === 'in_progress') return `${duration(Math.min(ran, durationMs))} of ${duration(durationMs)}`
  return duration(state === 'not_started' ? durationMs : ran)
}

function rowAt(index) {
  rows[index] ??= newRow()
  return rows[index]
}

function newRow() {
  const mark = element('span', 'mark')
  mark.ariaHidden = 'true'
  const word = element('span', 'unseen')
  const name = element('span')
  const time = element('span', 'time')
  const bar = element('progress')
  bar.ariaHidden = 'true'
  const row = element('li', '', mark, element('span', '', word, name), time, bar)
  byId('stages').append(row)
  return { row, mark, word, name, time, bar }
}
