import { byId, element } from '../../../../../page/script/element.js'
import type { ShownSite } from './fleet.js'
import { type Sort, view } from './route.js'
import { columns, fill, newRow, type RowParts } from './row.js'

const beyond = 8
const rows = byId('rows')
const made = new Map<string, RowParts>()
const above = spacer('above')
const below = spacer('below')
const heads = new Map<Sort | '', HTMLElement>()
let sites: readonly ShownSite[] = []
/** The height of a row that was never drawn, and of the others, by site: a reason to read makes a row higher. */
let rowHeight = 52
const heights = new Map<string, number>()
/** The selected site; its row may be outside the window. */
let current: string | undefined

/** Creates the heads of the table: buttons for sortable columns. */
export function makeTable(changed: () => void): void {
  for (const [sort, name] of columns) {
    const head = element('th')
    Object.assign(head, { scope: 'col', role: 'columnheader' })
    byId('heads').append(head)
    if (sort === '') head.append(name)
    else head.append(sorter(sort, name, changed))
    heads.set(sort, head)
  }
  // Browsers drop the table role if the style turns rows into cards.
  byId('table').role = 'table'
  byId('heads').role = 'row'
  for (const group of byId('table').querySelectorAll('thead, #rows')) group.role = 'rowgroup'
  addEventListener('scroll', showWindow, { passive: true })
  addEventListener('resize', showWindow)
}

/** Shows the sites; of ten thousand only those inside the window, and a few beyond it. */
export function showTable(shown: readonly ShownSite[]): void {
  sites = shown
  byId('table').hidden = sites.length === 0
  byId('table').ariaRowCount = `${sites.length + 1}`
  for (const [sort, head] of heads)
    if (sort !== '') head.ariaSort = view.sort !== sort ? 'none' : view.isDown ? 'descending' : 'ascending'
  showWindow()
}

/** Fills the rows inside the window. The focused row keeps the focus. */
export function showWindow(): void {
  if (byId('all').hidden) return
  const top = -byId('table').getBoundingClientRect().top
  const from = Math.max(0, indexAt(top) - beyond)
  const to = Math.min(sites.length, indexAt(top + innerHeight) + 1 + beyond)
  const inside = sites.slice(from, to)
  const wanted = new Set(inside.map(({ site }) => site))
  const focused = document.activeElement?.closest<HTMLElement>('#rows tr')?.dataset['site']
  for (const [site, { row }] of made)
    if (!wanted.has(site)) {
      row.remove()
      made.delete(site)
    }
  let next = rows.firstElementChild
  for (const [index, site] of inside.entries()) {
    const parts = rowOf(site.site)
    fill(parts, site, from + index)
    if (parts.row === next) next = next.nextElementSibling
    else rows.insertBefore(parts.row, next)
  }
  above.style.setProperty('height', `${heightOf(0, from)}px`)
  below.style.setProperty('height', `${heightOf(to, sites.length)}px`)
  if (focused !== undefined && document.activeElement === document.body)
    made.get(focused)?.texts.link.focus({ preventScroll: true })
  // The height of rows depends on the font size of the reader, and is known once they are drawn.
  if (measureRows()) showWindow()
}

/** True where the height of a row is not the one that was assumed. */
function measureRows(): boolean {
  let isNew = false
  for (const [site, { row }] of made) {
    const { height } = row.getBoundingClientRect()
    if (height === 0 || Math.abs(height - (heights.get(site) ?? rowHeight)) < 0.5) continue
    heights.set(site, height)
    isNew = true
  }
  rowHeight = rows.querySelector('tr:not(.needy)')?.getBoundingClientRect().height || rowHeight
  return isNew
}

/** The height of the rows from one index to another, without the last. */
function heightOf(from: number, to: number): number {
  return sites.slice(from, to).reduce((sum, { site }) => sum + (heights.get(site) ?? rowHeight), 0)
}

/** The index of the row at a distance from the top of the table. */
function indexAt(distance: number): number {
  let left = distance
  const at = sites.findIndex(({ site }) => {
    left -= heights.get(site) ?? rowHeight
    return left < 0
  })
  return at === -1 ? Math.max(0, sites.length - 1) : at
}

/** Moves the selection by one row; without a selection to the first row. */
export function step(by: number): void {
  const at = sites.findIndex(({ site }) => site === current)
  goTo(sites[at === -1 ? 0 : Math.min(sites.length - 1, Math.max(0, at + by))]?.site)
}

/** Returns the previous or next site, as listed. */
export function neighbour(site: string | undefined, by: number): string | undefined {
  const at = sites.findIndex(one => one.site === site)
  return at === -1 ? undefined : sites[at + by]?.site
}

/** Scrolls to the row of a site and focuses it. */
export function goTo(site: string | undefined): void {
  const at = sites.findIndex(one => one.site === site)
  if (site === undefined || at === -1) return
  current = site
  const head = byId('heads').getBoundingClientRect().height
  const top = byId('table').getBoundingClientRect().top + scrollY + head + heightOf(0, at)
  const bottom = top + heightOf(at, at + 1)
  if (top - head < scrollY) scrollTo({ top: top - head - rowHeight })
  else if (bottom > scrollY + innerHeight) scrollTo({ top: bottom + rowHeight - innerHeight })
  showWindow()
  made.get(site)?.texts.link.focus({ preventScroll: true })
}

function rowOf(site: string): RowParts {
  const known = made.get(site)
  if (known !== undefined) return known
  const parts = newRow(site)
  parts.texts.link.addEventListener('focus', () => {
    current = site
  })
  made.set(site, parts)
  return parts
}

function sorter(sort: Sort, name: string, changed: () => void): HTMLElement {
  const button = element('button', '', name)
  button.type = 'button'
  button.addEventListener('click', () => {
    view.isDown = view.sort === sort && !view.isDown
    view.sort = sort
    changed()
  })
  return button
}

function spacer(id: string): HTMLElement {
  const cell = element('td')
  cell.colSpan = columns.length
  byId(id).append(element('tr', '', cell))
  return cell
}

/** Shows lines instead of a table without rows. */
export function showNone(lines: readonly HTMLElement[]): void {
  byId('none').hidden = lines.length === 0
  if (byId('none').textContent !== lines.map(({ textContent }) => textContent).join(''))
    byId('none').replaceChildren(...lines)
}
