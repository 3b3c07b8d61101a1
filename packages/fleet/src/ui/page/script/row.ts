import { element, markElement, say } from '../../../../../page/script/element.js'
import { age } from './clock.js'
import { ageOf, fleet, type ShownSite } from './fleet.js'
import { type Sort, siteHash } from './route.js'
import { needsPerson, stateMark } from './states.js'

/** The columns; those with a key can be sorted. */
export const columns: readonly (readonly [sort: Sort | '', name: string])[] = [
  ['name', 'Site'],
  ['need', 'State'],
  ['stages', 'Stages'],
  ['age', 'Age'],
  ['warnings', 'Warnings'],
  ['retries', 'Retries'],
  ['', 'Worker'],
]

/** The elements of a row that change. */
export type RowParts = ReturnType<typeof newRow>

/** Creates a row of the table, to be filled by `fill`. */
export function newRow(site: string) {
  const link = element('a', 'name')
  link.href = siteHash(site)
  const filled = element('span', 'filled')
  const track = element('span', 'track', filled)
  track.ariaHidden = 'true'
  const texts = {
    link,
    address: element('span', 'second'),
    mark: markElement(),
    word: element('span'),
    message: element('span', 'second'),
    through: element('span'),
    stage: element('span', 'second'),
    time: cell('td', 'cell'),
    warnings: cell('td', 'cell'),
    retries: cell('td', 'cell'),
    worker: element('span', 'first'),
    lease: element('span', 'second some'),
  }
  texts.warnings.className = 'some'
  const head = cell('th', 'rowheader', link, texts.address)
  head.scope = 'row'
  const state = cell('td', 'cell', element('span', 'first', texts.mark, ' ', texts.word), texts.message)
  const stages = cell('td', 'cell', element('span', 'first', track, texts.through), texts.stage)
  const { time, warnings, retries } = texts
  const last = cell('td', 'cell', texts.worker, texts.lease)
  const row = element('tr', '', head, state, stages, time, warnings, retries, last)
  row.role = 'row'
  row.dataset['site'] = site
  return { row, filled, state, stages, texts }
}

/** Fills the row of a site; only changes touch the page. */
export function fill({ row, filled, state, stages, texts }: RowParts, site: ShownSite, index: number): void {
  const className = needsPerson(site.state) ? `${site.state} needy` : site.state
  if (row.className !== className) row.className = className
  row.ariaRowIndex = `${index + 2}`
  const hasStages = site.stages > 0
  filled.style.setProperty('--share', hasStages ? `${site.through / site.stages}` : '0')
  // Without stages, the message also uses their column.
  stages.hidden = !hasStages
  state.colSpan = hasStages ? 1 : 2
  const filling: ReadonlyMap<string, string> = new Map(Object.entries(textsOf(site)))
  for (const [name, where] of Object.entries(texts)) say(where, filling.get(name) ?? '')
}

function textsOf(site: ShownSite): Readonly<Record<keyof RowParts['texts'], string>> {
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

const isAlive = (worker: string) => fleet.workers.some(one => one.worker === worker && !one.isSilent)

function cell(
  name: 'td' | 'th',
  role: string,
  ...children: readonly (Node | string)[]
): HTMLTableCellElement {
  const made = element(name, '', ...children)
  made.role = role
  return made
}
