import { byId, element, markElement, say } from '../../../../../page/script/element.js'
import type { WorkerStatus } from '../../../model/fleet-snapshot.js'
import type { RolloutRow, WaveCount } from '../../../model/overview.js'
import { age, moment, now } from './clock.js'
import { fleet } from './fleet.js'
import { redraw } from './redraw.js'
import { listHash, view } from './route.js'
import { runStates, stateMark } from './states.js'

let shown = ''

/** Shows the rollouts with their waves, and the workers; redraws only what changed. */
export function showPanels(): void {
  const load = new Map<string, number>()
  for (const { state, worker } of fleet.sites.values())
    if (state === 'running' && worker !== undefined) load.set(worker, (load.get(worker) ?? 0) + 1)
  const { rollouts, workers } = fleet
  const parts = [rollouts, workers, [...load], isWithoutWorkers(), view.rollout, Math.floor(now() / 10_000)]
  const seen = JSON.stringify(parts)
  if (seen === shown) return
  shown = seen
  say(byId('rollouts-tally'), tally(rollouts.map(({ state }) => state)))
  redraw(byId('rollouts'), ...rollouts.map(rolloutItem))
  say(byId('workers-tally'), tally(workers.map(({ isSilent }) => (isSilent ? 'silent' : 'alive'))))
  redraw(
    byId('workers'),
    ...workers.map(worker => workerItem(worker, load.get(worker.worker) ?? 0)),
    ...(isWithoutWorkers()
      ? [element('li', '', 'No worker is running. Start one: ', command('landform fleet worker'))]
      : []),
  )
}

const isWithoutWorkers = () =>
  fleet.workers.every(({ isSilent }) => isSilent) &&
  [...fleet.sites.values()].some(({ state }) => state === 'queued' || state === 'running')

/** Counts words, the most important ones first. */
function tally(words: readonly string[]): string {
  const counted = ['stopped', 'running', 'silent', 'alive'].flatMap(word => {
    const count = words.filter(one => one === word).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  return counted.length === 0 ? 'none' : counted.join(', ')
}

function rolloutItem(rollout: RolloutRow): HTMLElement {
  const { id, submittedBy, submittedAt, wave, waves, state, counts } = rollout
  const link = element('a', '', element('code', '', id))
  link.href = listHash({ rollout: view.rollout === id ? '' : id })
  if (view.rollout === id) link.setAttribute('aria-current', 'true')
  const total = counts.reduce((sum, { runs }) => sum + runs, 0)
  const done = counts.reduce((sum, { runs, state: one }) => sum + (one === 'done' ? runs : 0), 0)
  const place = waves > 1 && state !== 'done' ? `, wave ${wave} of ${waves}` : ''
  // All waves have ended, but not every site succeeded.
  const status = state === 'done' && done < total ? 'ended' : state
  const bars = Array.from({ length: waves }, (_, index) =>
    waveBar(counts.filter(one => one.wave === index + 1)),
  )
  const row = element(
    'li',
    `rollout ${status}`,
    element('div', 'head', link, element('span', `pill ${status}`, status)),
    element('p', 'faint', `${done} of ${total} done${place}`),
    element('div', 'waves', ...bars),
    element('p', 'faint small', element('bdi', '', submittedBy), `, ${moment(submittedAt)}`),
  )
  if (state === 'stopped')
    row.append(
      element(
        'p',
        'next',
        'Start unsuccessful sites again, then continue: ',
        command(`landform fleet resume --rollout ${id}`),
      ),
      element(
        'p',
        'next',
        'Continue without them: ',
        command(`landform fleet resume --rollout ${id} --skip-failed`),
      ),
    )
  return row
}

/** Creates a bar for a wave, coloured by the states of its sites, with the same as text. */
function waveBar(counts: readonly WaveCount[]): HTMLElement {
  const bar = element('span', 'wave shares')
  const words: string[] = []
  for (const state of runStates) {
    const runs = counts.find(one => one.state === state)?.runs ?? 0
    if (runs === 0) continue
    const part = element('span', state)
    part.style.setProperty('flex-grow', `${runs}`)
    bar.append(part)
    words.push(`${runs} ${state}`)
  }
  bar.role = 'img'
  bar.ariaLabel = `wave ${counts[0]?.wave ?? ''}: ${words.join(', ')}`
  bar.title = bar.ariaLabel
  return bar
}

function workerItem(status: WorkerStatus, load: number): HTMLElement {
  const { worker, isSilent, startedAt, beatAt, limit, version } = status
  const mark = markElement(stateMark(isSilent ? 'failed' : 'done'))
  const word = isSilent ? `silent for ${age(now() - beatAt)}` : `${load} of ${limit} sites`
  const line = element(
    'div',
    'head',
    element('span', '', mark, ' ', element('bdi', '', worker)),
    element('span', '', word),
  )
  const more = `since ${moment(startedAt)}${version === '' ? '' : `, Landform ${version}`}`
  return element('li', isSilent ? 'silent' : 'alive', line, element('p', 'faint small', more))
}

function command(text: string): HTMLElement {
  return element('code', 'command', text)
}
