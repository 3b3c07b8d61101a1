import { makeCopy } from '../../../../packages/page/script/copy.js'
import { byId, element, markElement, say } from '../../../../packages/page/script/element.js'
import { duration, markOf } from '../../../../packages/page/script/words.js'
import type { SiteSummary, StageStatus, StateDocument } from '../../control/state-document.js'
import { clearRequests, showRequests } from './requests.js'

const pollMs = 1000
const stageCount = 14
const tiles = new Map<string, ReturnType<typeof newTile>>()
let chosen: string | undefined
let shown: StateDocument | undefined

makeCopy(byId('copy', HTMLButtonElement), byId('url'))
byId('filter').addEventListener('input', () => shown && showSites(shown))
byId('polls').addEventListener('change', () => {
  clearRequests()
  if (shown !== undefined) showRequests(shown.selected.requests)
})
for (;;) {
  await refresh()
  await new Promise(resolve => setTimeout(resolve, pollMs))
}

/** Fetches the state document and shows it. Does not validate it: it comes from the server of this script. */
async function refresh(): Promise<void> {
  const asked = chosen
  const query = asked === undefined ? '' : `?site=${encodeURIComponent(asked)}`
  const response = await fetch(`/_emulator/state.json${query}`, { cache: 'no-store' }).catch(() => undefined)
  const state: StateDocument | undefined = response?.ok
    ? await response.json().catch(() => undefined)
    : undefined
  // Another site was chosen meanwhile.
  if (asked !== chosen) return
  // The chosen site belongs to an emulator that used this port earlier.
  if (response?.status === 400) location.reload()
  if (state !== undefined) show(state)
  byId('link').className = state === undefined ? 'lost' : 'live'
  say(
    byId('link'),
    state === undefined ? 'no connection: the emulator has stopped or does not respond' : 'live',
  )
}

function show(state: StateDocument): void {
  const { sites, selected, now } = state
  // Another emulator uses the port now, with other sites and requests.
  if (shown !== undefined && shown.instance !== state.instance) location.reload()
  shown = state
  chosen = selected.site
  showFacts(state)
  showSites(state)
  const site = sites.find(one => one.site === selected.site)
  if (site !== undefined) showSite(site, sites.length > 1)
  byId('stages').replaceChildren(...selected.stages.map(stage => formatStage(stage, now)))
  showRequests(selected.requests)
}

function showFacts({ serviceVersion, fidelity, scenario, speed, sites, faults }: StateDocument): void {
  const facts = {
    version: serviceVersion,
    fidelity,
    scenario: scenario ?? 'none',
    speed: `${speed}×`,
    ...(sites.length > 1 && { sites: `${sites.length}` }),
    ...(faults.length > 0 && { faults: faults.map(cutText).join('; ') }),
  }
  const pairs = Object.entries(facts).map(([name, value]) =>
    element('div', '', element('dt', '', name), element('dd', '', value)),
  )
  byId('facts').replaceChildren(...pairs)
}

function cutText(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Shows one tile per site, if there are several. Tiles are radio buttons, so arrow keys and screen readers work. */
function showSites({ sites, selected }: StateDocument): void {
  byId('many').hidden = sites.length < 2
  if (sites.length < 2) return
  if (tiles.size === 0) byId('grid').append(...sites.map(({ site }) => newTile(site).label))
  const filter = byId('filter', HTMLInputElement).value.trim().toLowerCase()
  const counts = new Map<string, number>()
  for (const { site, state, through } of sites) {
    const word = siteWord(state)
    counts.set(word, (counts.get(word) ?? 0) + 1)
    const tile = tiles.get(site)
    if (tile === undefined) continue
    tile.label.className = state
    tile.label.style.setProperty('--through', `${through / stageCount}`)
    tile.label.hidden = ![nameOf(site), word].some(text => text.includes(filter))
    say(tile.word, `, ${word}`)
    if (site === selected.site) tile.input.checked = true
  }
  say(byId('tally'), [...counts].map(([word, count]) => `${count} ${word}`).join(', '))
}

function newTile(site: string) {
  const input = element('input')
  Object.assign(input, { type: 'radio', name: 'site' })
  input.addEventListener('change', () => {
    chosen = site
    clearRequests()
    refresh()
  })
  const word = element('span', 'unseen')
  const tile = { label: element('label', '', input, nameOf(site), word), input, word }
  tiles.set(site, tile)
  return tile
}

function showSite({ site, url, state, through, counters }: SiteSummary, isOneOfMany: boolean): void {
  say(byId('url'), url)
  for (const place of document.querySelectorAll('.url')) say(place, url)
  say(byId('site-title'), isOneOfMany ? nameOf(site) : 'Site')
  byId('state').className = state
  say(byId('state'), siteWord(state))
  byId('overall', HTMLProgressElement).value = through
  say(byId('through'), `${through} of ${stageCount} stages complete`)
  const rows = Object.entries(counters).map(([name, { received, accepted }]) => {
    const head = element('th', '', element('code', '', name))
    head.scope = 'row'
    return element('tr', '', head, element('td', '', `${received}`), element('td', '', `${accepted}`))
  })
  byId('counters').replaceChildren(...rows)
}

function formatStage(stage: StageStatus, now: number): HTMLElement {
  const { name, state, startTime, lastUpdated, durationMs } = stage
  const [sign, meaning] = markOf(state)
  const isRunning = state === 'in_progress'
  const ranMs = Math.max(0, (isRunning ? now : lastUpdated) - startTime)
  const bar = element('progress')
  bar.value = isRunning && durationMs !== null && durationMs > 0 ? Math.min(1, ranMs / durationMs) : 0
  bar.ariaHidden = 'true'
  const label = element('span', '', element('span', 'unseen', `${meaning}: `), name)
  return element(
    'li',
    state,
    markElement(sign),
    label,
    element('span', 'time', formatTime(stage, ranMs)),
    bar,
  )
}

function formatTime({ state, durationMs }: StageStatus, ranMs: number): string {
  if (state === 'not_applicable') return 'does not apply'
  if (durationMs === null) return state === 'in_progress' ? `${duration(ranMs)} so far` : ''
  if (state === 'in_progress') return `${duration(Math.min(ranMs, durationMs))} of ${duration(durationMs)}`
  return duration(state === 'not_started' ? durationMs : ranMs)
}

function siteWord(state: string): string {
  return state === 'new' ? 'not configured' : state === 'in_progress' ? 'being configured' : state
}

/** The name of a site: its first segment. */
function nameOf(site: string): string {
  return site.split('/')[1] || 'site'
}
