import { type StageRecord, stageNames, stageProgress } from 'landform/sites'
import { element, markElement } from '../../../../../page/script/element.js'
import { duration, markOf } from '../../../../../page/script/words.js'

const progress: ReadonlyMap<string, string> = new Map(Object.entries(stageProgress))

/** Creates the timeline of the stages: each a bar from its start to its last update, by the clock of the site. */
export function stageItems(stages: readonly StageRecord[]): readonly HTMLElement[] {
  const known = stages.length > 0 ? stages : stageNames.map(name => ({ name, state: 'not_started' }))
  const times = stages
    .flatMap(({ startTime = 0, lastUpdated = 0 }) => [startTime, lastUpdated])
    .filter(time => time > 0)
  const whole = { begin: Math.min(...times), end: Math.max(...times) }
  return known.map(stage => stageItem(stage, whole))
}

/** Counts the completed stages. */
export const throughOf = (stages: readonly StageRecord[]): number =>
  stages.filter(({ state }) => progress.get(state) === 'through').length

function stageItem(
  { name, state, startTime = 0, lastUpdated = 0 }: StageRecord,
  { begin, end }: { readonly begin: number; readonly end: number },
): HTMLElement {
  const [sign, meaning] = markOf(state)
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
  const known = progress.has(state) || state === 'failed'
  const text = known ? words : [state, words].filter(Boolean).join(', ')
  return element('li', known ? state : 'odd', markElement(sign), label, track, element('span', 'time', text))
}

function durationText(state: string, ran: number): string {
  return state === 'in_progress' ? `${duration(ran)} so far` : duration(ran)
}
