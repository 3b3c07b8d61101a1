import { element, say } from '../../../../../page/script/element.js'
import { age } from './clock.js'
import { ageOf, fleet } from './fleet.js'
import { siteHash } from './route.js'
import { needsPerson, stateMark } from './states.js'

/** The columns; those with a key can be sorted. */
export const columns = [
  ['name', 'Site'],
  ['need', 'State'],
  ['stages', 'Stages'],
  ['age', 'Age'],
  ['warnings', 'Warnings'],
  ['retries', 'Retries'],
  ['', 'Worker'],
]

/** Creates a row of the table, to be filled by `fill`. */
export function newRow(site) {
  const link = element('a', 'name')
  link.href = siteHash(site)
  const [mark, track] = [element('span', 'mark'), element('span', 'track', element('span', 'filled'))]
  mark.ariaHidden = 'true'
  track.ariaHidden = 'true'
  const [word, through, worker] = ['', '', 'first'].map(name => element('span', name))
  const [address, message, stage, lease] = ['second', 'second', 'second', 'second some'].map(name =>
    element('span', name),
  )
  const head = cell('th', 'rowheader', link, address)
  head.scope = 'row'
  const state = cell('td', 'cell', element('span', 'first', mark, ' ', word), message)
  const stages = cell('td', 'cell', element('span', 'first', track, through), stage)
  const [time, warnings, retries] = ['', 'some', ''].map(name => {
    const made = cell('td', 'cell')
    made.className = name
    return made
  })
  const row = element(
    'tr',
    '',
    head,
    state,
    stages,
    time,
    warnings,
    retries,
    cell('td', 'cell', worker, lease),
  )
  row.role = 'row'
  const texts = { link, address, mark, word, message, through, stage, time, warnings, retries, worker, lease }
  return { row, track, state, stages, texts }
}

/** Fills the row of a site; only changes touch the page. */
export function fill({ row, track, state, stages, texts }, site, index) {
  const className = needsPerson(site.state) ? `${site.state} needy` : site.state
  if (row.className !== className) row.className = className
  row.ariaRowIndex = `${index + 2}`
  const hasStages = site.stages > 0
  track.firstChild.style.setProperty('--share', hasStages ? `${site.through / site.stages}` : '0')
  // Without stages the message uses their column, too.
  stages.hidden = !hasStages
  state.colSpan = hasStages ? 1 : 2
  for (const [name, text] of Object.entries(textsOf(site))) say(texts[name], text)
}

function textsOf(site) {
  const { state, phase = '', message, worker = '', isCancelRequested, stages } = site
  const isRunning = state === 'running'
  return {
    link: site.name,
    address: site.site.replace(/^https?:\/\//, ''),
    mark: stateMark(state),
    word: isRunning && isCancelRequested ? `${state}, to be cancelled` : state,
    message: message || (isRunning ? phase : ''),
    through: stages === 0 ? '' : `${site.through}/${stages}`,
    stage: site.stage ?? '',
    time: age(ageOf(site)),
    warnings: site.warnings === 0 ? '' : `${site.warnings}`,
    retries: site.retries === 0 ? '' : `${site.retries}`,
    worker,
    // A worker without its lease no longer has the site, and the next one has not taken it yet.
    lease: isRunning && worker !== '' && !isAlive(worker) ? 'silent' : '',
  }
}

const isAlive = worker => fleet.workers.some(one => one.worker === worker && !one.isSilent)

function cell(name, role, ...children) {
  const made = element(name, '', ...children)
  made.role = role
  return made
}
