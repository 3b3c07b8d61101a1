import { stageNames, stageProgress } from 'landform/sites'
import { element } from '../../../../../page/script/element.js'
import { duration, markOf } from '../../../../../page/script/words.js'

/** Creates the timeline of the stages: each a bar from its start to its last update, by the clock of the site. */
export function stageItems(stages) {
  const known = stages.length > 0 ? stages : stageNames.map(name => ({ name, state: 'not_started' }))
  const times = known
    .flatMap(({ startTime, lastUpdated }) => [startTime, lastUpdated])
    .filter(time => time > 0)
  const [begin, end] = [Math.min(...times), Math.max(...times)]
  return known.map(stage => stageItem(stage, { begin, end }))
}

/** Counts the completed stages. */
export const throughOf = stages => stages.filter(({ state }) => stageProgress[state] === 'through').length

function stageItem({ name, state, startTime = 0, lastUpdated = 0 }, { begin, end }) {
  const [sign, meaning] = markOf(state)
  const mark = element('span', 'mark', sign)
  mark.ariaHidden = 'true'
  const hasRun =
    startTime > 0 && lastUpdated >= startTime && state !== 'not_applicable' && state !== 'not_started'
  const until = state === 'in_progress' ? end : lastUpdated
  const ran = hasRun ? until - startTime : 0
  const words = state === 'not_applicable' ? 'does not apply' : hasRun ? durationText(state, ran) : ''
  const bar = element('span')
  const whole = Math.max(1, end - begin)
  bar.style.setProperty('--from', `${(startTime - begin) / whole}`)
  bar.style.setProperty('--share', `${ran / whole}`)
  const track = element('span', 'timeline', ...(hasRun ? [bar] : []))
  track.ariaHidden = 'true'
  track.hidden = end < begin
  const label = element('span', 'label', element('span', 'unseen', `${meaning}: `), element('bdi', '', name))
  const known = Object.hasOwn(stageProgress, state) || state === 'failed'
  const text = known ? words : [state, words].filter(Boolean).join(', ')
  return element('li', known ? state : 'odd', mark, label, track, element('span', 'time', text))
}

function durationText(state, ran) {
  return state === 'in_progress' ? `${duration(ran)} so far` : duration(ran)
}
