import { byId, element, say } from '../../../../../../src/live-page/script/element.js'
import { view } from './route.js'
import { columns, fill, newRow } from './row.js'

const beyond = 8
const rows = byId('rows')
const made = new Map()
const above = spacer('above')
const below = spacer('below')
const heads = new Map()
let sites = []
let rowHeight = 52
/** The selected site; its row may be outside the window. */
let current

/** Creates the heads of the table: buttons for sortable columns. */
export function makeTable(changed) {
  for (const [sort, name] of columns) {
    const head = element('th', '')
    Object.assign(head, { scope: 'col', role: 'columnheader' })
    byId('heads').append(head)
    if (sort === '') head.append(name)
    else head.append(sorter(sort, name, changed))
    heads.set(sort, head)
  }
  // Browsers drop the table role if the style turns rows into cards.
  byId('table').role = 'table'
  byId('heads').role = 'row'
  for (const group of [byId('heads').parentElement, rows]) group.role = 'rowgroup'
  addEventListener('scroll', showWindow, { passive: true })
  addEventListener('resize', showWindow)
}

/** Shows the sites; of ten thousand only those inside the window, and a few beyond it. */
export function showTable(shown) {
  sites = shown
  byId('table').hidden = sites.length === 0
  byId('table').ariaRowCount = `${sites.length + 1}`
  for (const [sort, head] of heads)
    if (sort !== '') head.ariaSort = view.sort !== sort ? 'none' : view.isDown ? 'descending' : 'ascending'
  showWindow()
}

/** Fills the rows inside the window. The focused row keeps the focus. */
export function showWindow() {
  if (byId('all').hidden) return
  const top = -byId('table').getBoundingClientRect().top
  const from = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const to = Math.min(sites.length, Math.ceil((top + innerHeight) / rowHeight) + beyond)
  const wanted = new Set(sites.slice(from, to).map(({ site }) => site))
  const focused = document.activeElement?.closest?.('#rows tr')?.dataset.site
  for (const [site, { row }] of made)
    if (!wanted.has(site)) {
      row.remove()
      made.delete(site)
    }
  let next = rows.firstElementChild
  for (let index = from; index < to; index += 1) {
    const parts = rowOf(sites[index].site)
    fill(parts, sites[index], index)
    if (parts.row === next) next = next.nextElementSibling
    else rows.insertBefore(parts.row, next)
  }
  above.style.setProperty('height', `${from * rowHeight}px`)
  below.style.setProperty('height', `${(sites.length - to) * rowHeight}px`)
  if (focused !== undefined && document.activeElement === document.body)
    made.get(focused)?.texts.link.focus({ preventScroll: true })
  // The height of rows depends on the font size of the reader, and is known after the first row.
  if (isMeasuredAnew()) showWindow()
}

function isMeasuredAnew() {
  const height = rows.firstElementChild?.getBoundingClientRect().height ?? 0
  if (height === 0 || Math.abs(height - rowHeight) < 0.5) return false
  rowHeight = height
  return true
}

/** Moves the selection by one row; without a selection to the first row. */
export function step(by) {
  const at = sites.findIndex(({ site }) => site === current)
  goTo(sites[at === -1 ? 0 : Math.min(sites.length - 1, Math.max(0, at + by))]?.site)
}

/** Returns the previous or next site, as listed. */
export function neighbour(site, by) {
  const at = sites.findIndex(one => one.site === site)
  return at === -1 ? undefined : sites[at + by]?.site
}

/** Scrolls to the row of a site and focuses it. */
export function goTo(site) {
  const at = sites.findIndex(one => one.site === site)
  if (at === -1) return
  current = site
  const head = byId('heads').getBoundingClientRect().height
  const top = byId('table').getBoundingClientRect().top + scrollY + head + at * rowHeight
  if (top - head < scrollY) scrollTo({ top: top - head - rowHeight })
  else if (top + rowHeight > scrollY + innerHeight) scrollTo({ top: top + 2 * rowHeight - innerHeight })
  showWindow()
  made.get(site)?.texts.link.focus({ preventScroll: true })
}

function rowOf(site) {
  if (!made.has(site)) {
    const parts = newRow(site)
    parts.row.dataset.site = site
    parts.texts.link.addEventListener('focus', () => {
      current = site
    })
    made.set(site, parts)
  }
  return made.get(site)
}

function sorter(sort, name, changed) {
  const button = element('button', '', name)
  button.type = 'button'
  button.addEventListener('click', () => {
    view.isDown = view.sort === sort && !view.isDown
    view.sort = sort
    changed()
  })
  return button
}

function spacer(id) {
  const cell = element('td')
  cell.colSpan = columns.length
  byId(id).append(element('tr', '', cell))
  return cell
}

/** Shows lines in place of a table without rows. */
export function showNone(lines) {
  byId('none').hidden = lines.length === 0
  if (byId('none').textContent !== lines.map(({ textContent }) => textContent).join(''))
    byId('none').replaceChildren(...lines)
}

export function sayShown(text) {
  say(byId('shown'), text)
}
