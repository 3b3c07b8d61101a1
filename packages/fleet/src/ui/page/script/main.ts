import { hasEnded } from 'landform/sites'
import { byId, element, say } from '../../../../../page/script/element.js'
import type { FleetDocument } from '../../fleet-document.js'
import { setClock } from './clock.js'
import { makeCounts, showCounts } from './counts.js'
import { fleet, shownSites, takeAll, takeChange } from './fleet.js'
import { makeKeys } from './keys.js'
import { loadSite, turnView } from './load-site.js'
import { showLink, showNeed, showTrouble } from './notices.js'
import { showPanels } from './panels.js'
import { keepFilter, listHash, readRoute, view } from './route.js'
import { askForToken } from './sign-in.js'
import { type FleetChange, type LinkState, listenForever } from './stream.js'
import { goTo, makeTable, showNone, showTable, showWindow } from './table.js'

let etag: string | null = null
let isLoaded = false
let isDue = false
let shownSite: string | undefined
const search = byId('search', HTMLInputElement)

async function load(): Promise<'new' | 'same' | 'signed-out'> {
  const headers = new Headers(etag === null ? [] : [['if-none-match', etag]])
  const response = await fetch('api/fleet', { cache: 'no-store', headers })
  if (response.status === 401) return 'signed-out'
  if (response.status === 304) return 'same'
  if (!response.ok) throw new Error('no fleet')
  const whole: FleetDocument = await response.json()
  etag = response.headers.get('etag')
  setClock(whole.now)
  takeAll(whole)
  isLoaded = true
  due()
  void loadSite()
  return 'new'
}

function take(change: FleetChange): void {
  takeChange(change)
  if (change.sites?.some(({ site }) => site === view.site)) void loadSite()
  due()
}

/** Schedules a redraw: many changes are drawn once per frame. */
function due(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    draw()
  })
}

function draw(): void {
  if (!isLoaded) return
  turnView()
  showNeed(showCounts())
  showTrouble()
  const sites = shownSites(view)
  showTable(sites)
  showPanels()
  say(byId('where'), fleet.where)
  say(
    byId('shown'),
    sites.length === fleet.sites.size ? `${sites.length}` : `${sites.length} of ${fleet.sites.size}`,
  )
  byId('of-rollout').hidden = view.rollout === ''
  say(byId('rollout-name'), view.rollout)
  showNone(sites.length > 0 ? [] : noneLines())
  byId('back', HTMLAnchorElement).href = listHash()
}

function noneLines(): readonly HTMLElement[] {
  if (fleet.sites.size > 0) return [element('p', '', 'No sites match the filter.')]
  if (fleet.trouble !== null) return []
  return [
    element('p', '', 'No sites have been submitted yet.'),
    element('p', '', element('code', 'command', 'landform fleet submit sites/')),
  ]
}

function report(state: LinkState): void {
  showLink(state)
  if (state === 'signed-out') askForToken(listen)
}

function filterChanged(): void {
  keepFilter()
  draw()
  showWindow()
}

function routeChanged(): void {
  const before = shownSite
  readRoute()
  search.value = view.search
  shownSite = view.site
  if (!isLoaded) return
  turnView()
  draw()
  if (view.site !== undefined) {
    void loadSite()
    scrollTo({ top: 0 })
    byId('one').focus({ preventScroll: true })
  } else if (before !== undefined) goTo(before)
}

makeCounts(filterChanged)
makeTable(filterChanged)
makeKeys()
search.addEventListener('input', () => {
  view.search = search.value
  filterChanged()
})
byId('every-rollout').addEventListener('click', () => {
  view.rollout = ''
  filterChanged()
})
if (innerWidth < 1200)
  for (const details of document.querySelectorAll<HTMLDetailsElement>('#side details')) details.open = false
readRoute()
search.value = view.search
shownSite = view.site
addEventListener('hashchange', routeChanged)
const listen = listenForever({ load, take, report })
addEventListener('signed-out', () => report('signed-out'))
let ticks = 0
setInterval(() => {
  if (!isLoaded) return
  ticks += 1
  showWindow()
  showPanels()
  // The log can change without the row.
  const one = view.site === undefined ? undefined : fleet.sites.get(view.site)
  if (ticks % 5 === 0 && one !== undefined && !hasEnded(one.state)) void loadSite()
}, 1000)
