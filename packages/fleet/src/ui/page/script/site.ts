import { makeCopy } from '../../../../../page/script/copy.js'
import { byId, element, say } from '../../../../../page/script/element.js'
import type { RunRow } from '../../../model/overview.js'
import type { Run, RunEvent } from '../../../model/run.js'
import type { NextCommand, Receipts, SiteView } from '../../../model/site-view.js'
import { age, moment, now } from './clock.js'
import { since } from './fleet.js'
import { redraw } from './redraw.js'
import { listHash, siteHash } from './route.js'
import { stageItems, throughOf } from './stages.js'
import { needsPerson, stateMark } from './states.js'

const shown = new Map<string, string>()

/** Shows one site with one of its runs. Only changed parts are redrawn. */
export function showSite({ run, runs, events, receipts, next }: SiteView): void {
  say(byId('one-title'), run.name)
  say(byId('one-address'), run.site)
  const stateWords = `${stateMark(run.state)} ${run.state}${run.phase === undefined ? '' : `, ${run.phase}`}`
  byId('one-state').className = `pill ${run.state}`
  say(byId('one-state'), stateWords)
  part('one-next', [run.state, run.message, next], () => nextBox(run, next))
  part('stages', run.stages, () => stageItems(run.stages))
  say(
    byId('one-through'),
    run.stages.length === 0
      ? 'none reported yet'
      : `${throughOf(run.stages)} of ${run.stages.length} complete`,
  )
  byId('warnings-box').hidden = run.warnings.length === 0
  part('warnings', run.warnings, () => run.warnings.map(text => element('li', '', element('bdi', '', text))))
  part('events', events, () =>
    events.length === 0 ? [element('li', 'faint', 'No events.')] : events.map(eventItem),
  )
  part('receipts', receipts, () => receiptList(receipts))
  part('runs', [runs, run.generation], () => runs.map(one => runItem(one, one.generation === run.generation)))
  showFacts(run)
}

/** Clears the view for the next site. */
export function clearSite(name: string): void {
  for (const id of shown.keys()) byId(id).replaceChildren()
  shown.clear()
  say(byId('one-title'), name)
  for (const id of ['one-address', 'one-state', 'one-through']) say(byId(id), '')
  byId('one-state').className = ''
  byId('warnings-box').hidden = true
}

/** Shows the reason that there is no site to show. */
export function showProblem(text: string): void {
  part('one-next', text, () => [element('p', 'problem', text)])
}

function part(id: string, data: unknown, make: () => readonly HTMLElement[]): void {
  const seen = JSON.stringify(data)
  if (shown.get(id) === seen) return
  shown.set(id, seen)
  redraw(byId(id), ...make())
}

function nextBox({ state, message = '' }: Run, next: readonly NextCommand[]): readonly HTMLElement[] {
  if (message === '' && next.length === 0) return []
  const box = element('div', needsPerson(state) ? 'card attention' : 'card')
  if (message !== '') box.append(element('p', 'message', ...withCode(message)))
  for (const { command, why } of next) {
    const code = element('code', 'command', command)
    box.append(element('p', 'faint why', why), element('p', 'copyable', code, ' ', copyButton(code)))
  }
  return [box]
}

/** Formats text between back quotes as code; any text stays text. */
function withCode(text: string): readonly (Node | string)[] {
  const parts = text.split('`')
  if (parts.length % 2 === 0) return [text]
  return parts.map((part, index) => (index % 2 === 1 ? element('code', '', part) : part))
}

function showFacts(run: Run): void {
  const { rollout, wave, generation, worker, submittedAt, startedAt, endedAt, retries, exitCode } = run
  const link = element('a', '', element('code', '', rollout))
  link.href = listHash({ rollout })
  const facts: Readonly<Record<string, readonly (HTMLElement | string)[]>> = {
    rollout: [link, `, wave ${wave}`],
    run: [`${generation} of this site`],
    [endedAt === undefined ? 'for' : 'ended']: [
      endedAt === undefined ? age(now() - since(run)) : `${age(now() - endedAt)} ago`,
    ],
    submitted: [moment(submittedAt)],
    ...(startedAt !== undefined && { began: [moment(startedAt)] }),
    ...(endedAt !== undefined && { 'ended at': [moment(endedAt)] }),
    ...(endedAt !== undefined && startedAt !== undefined && { took: [age(endedAt - startedAt)] }),
    ...(worker !== undefined && { worker: [worker] }),
    retries: [`${retries}`],
    ...(exitCode !== undefined && { 'exit code': [`${exitCode}`] }),
    manifest: [element('code', '', run.manifest)],
    ...(run.commit !== undefined && { commit: [element('code', '', run.commit)] }),
    digest: [element('code', '', run.digest)],
    'time limit': [age(run.timeoutMs)],
    priority: [`${run.priority}`],
  }
  const texts = Object.entries(facts).map(([name, parts]) => [
    name,
    parts.map(one => (typeof one === 'string' ? one : one.textContent)),
  ])
  part('facts', texts, () =>
    Object.entries(facts).map(([name, parts]) =>
      element('div', '', element('dt', '', name), element('dd', '', ...parts)),
    ),
  )
}

function eventItem({ at, type, message }: RunEvent): HTMLElement {
  return element(
    'li',
    type,
    element('time', '', moment(at)),
    element('code', '', type),
    element('span', '', message),
  )
}

function receiptList(receipts: Receipts): readonly HTMLElement[] {
  if (receipts.kind === 'unreadable')
    return [element('p', 'problem', `The state cannot be read: ${receipts.reason}`)]
  if (receipts.receipts.length === 0) return [element('p', 'faint', 'No completed apply yet.')]
  const list = element('ol', 'rows')
  for (const { serial, finishedAt, outcome, reason, actions } of receipts.receipts) {
    const did = actions.map(({ operation, change }) => `${operation}: ${change}`).join(', ')
    const line = element(
      'li',
      '',
      element('time', '', moment(Date.parse(finishedAt))),
      element('strong', '', outcome),
    )
    line.append(element('span', 'faint', `${did === '' ? 'nothing' : did}; version ${serial} of the state`))
    if (reason !== undefined) line.append(element('span', 'wide message', element('bdi', '', reason)))
    list.append(line)
  }
  return [list]
}

function runItem({ site, generation, state, submittedAt, rollout }: RunRow, isShown: boolean): HTMLElement {
  const link = element('a', '', `run ${generation}`)
  link.href = siteHash(site, generation)
  if (isShown) link.setAttribute('aria-current', 'true')
  const words = element('span', `toned ${state}`, `${stateMark(state)} ${state}`)
  return element(
    'li',
    '',
    link,
    words,
    element('span', 'faint', moment(submittedAt)),
    element('code', 'faint wide', rollout),
  )
}

function copyButton(from: HTMLElement): HTMLElement {
  const button = element('button', '', 'Copy')
  button.type = 'button'
  makeCopy(button, from)
  return button
}
