import { byId, element, say } from '../../../../../page/script/element.js'
import { view } from './route.js'
import { columns, fill, newRow } from './row.js'

const beyond = 8
const rows = byId('rows')
const made = new Map()
const above = spacer('above')
const below = spacer('below')
const heads = new Map()
let sites = []
/** The height of a row that was never drawn, and of the others, by site: a reason to read makes a row higher. */
let rowHeight = 52
const heights = new Map()
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
  const from = Math.max(0, indexAt(top) - beyond)
  const to = Math.min(sites.length, indexAt(top + innerHeight) + 1 + beyond)
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
  above.style.setProperty('height', `${heightOf(0, from)}px`)
  below.style.setProperty('height', `${heightOf(to, sites.length)}px`)
  if (focused !== undefined && document.activeElement === document.body)
    made.get(focused)?.texts.link.focus({ preventScroll: true })
  // The height of rows depends on the font size of the reader, and is known once they are drawn.
  if (measureRows()) showWindow()
}

/** True where the height of a row is not the one that was assumed. */
function measureRows() {
  let isNew = false
  for (const [site, { row }] of made) {
    const { height } = row.getBoundingClientRect()
    if (height === 0 || Math.abs(height - (heights.get(site) ?? rowHeight)) < 0.5) continue
    heights.set(site, height)
    isNew = true
  }
  const plain = rows.querySelector('tr:not(.needy)')?.getBoundingClientRect().height
  if (plain > 0) rowHeight = plain
  return isNew
}

/** The height of the rows from one index to another, without the last. */
function heightOf(from, to) {
  let sum = 0
  for (let at = from; at < to; at += 1) sum += heights.get(sites[at].site) ?? rowHeight
  return sum
}

/** The index of the row at a distance from the top of the table. */
function indexAt(distance) {
  let [at, left] = [0, distance]
  while (at < sites.length && left >= 0) {
    left -= heights.get(sites[at].site) ?? rowHeight
    at += 1
  }
  return Math.max(0, at - 1)
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
  const top = byId('table').getBoundingClientRect().top + scrollY + head + heightOf(0, at)
  const bottom = top + heightOf(at, at + 1)
  if (top - head < scrollY) scrollTo({ top: top - head - rowHeight })
  else if (bottom > scrollY + innerHeight) scrollTo({ top: bottom + rowHeight - innerHeight })
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
