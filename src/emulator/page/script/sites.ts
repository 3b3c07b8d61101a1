import { byId, element, say } from '../../../../packages/page/script/element.js'
import type { EmulatedSiteStatus } from '../../control/state-document.js'
import { nameOf, siteWord } from './words.js'

interface Tile {
  readonly label: HTMLLabelElement
  readonly input: HTMLInputElement
  readonly word: HTMLSpanElement
}

const tiles = new Map<string, Tile>()
let shown: readonly EmulatedSiteStatus[] = []

/** Shows one tile per site; they are radio buttons, so arrow keys and screen readers work. */
export function showSites(
  sites: readonly EmulatedSiteStatus[],
  chosen: string | undefined,
  choose: (site: string) => void,
): void {
  byId('many').hidden = sites.length < 2
  if (sites.length < 2) return
  if (tiles.size === 0) {
    byId('grid').append(...sites.map(({ site }) => newTile(site, choose)))
    byId('filter').addEventListener('input', filter)
  }
  for (const one of sites) showTile(one, one.site === chosen)
  tally(sites)
}

/** Shows the progress of one site. */
export function showTile({ site, state, through, stages }: EmulatedSiteStatus, isChosen: boolean): void {
  const tile = tiles.get(site)
  if (tile === undefined) return
  tile.label.className = state
  tile.label.style.setProperty('--through', `${through / stages.length}`)
  say(tile.word, `, ${siteWord(state)}`)
  if (isChosen) tile.input.checked = true
}

/** Counts the sites by state and applies the filter. */
export function tally(sites: readonly EmulatedSiteStatus[]): void {
  if (tiles.size === 0) return
  shown = sites
  const counts = new Map<string, number>()
  for (const { state } of sites) counts.set(state, (counts.get(state) ?? 0) + 1)
  say(byId('tally'), [...counts].map(([state, count]) => `${count} ${siteWord(state)}`).join(', '))
  filter()
}

function filter(): void {
  const wanted = byId('filter', HTMLInputElement).value.trim().toLowerCase()
  for (const { site, state } of shown) {
    const tile = tiles.get(site)
    if (tile) tile.label.hidden = ![nameOf(site), siteWord(state)].some(text => text.includes(wanted))
  }
}

function newTile(site: string, choose: (site: string) => void): HTMLLabelElement {
  const input = element('input')
  Object.assign(input, { type: 'radio', name: 'site' })
  input.addEventListener('change', () => choose(site))
  const word = element('span', 'unseen')
  const label = element('label', '', input, nameOf(site), word)
  tiles.set(site, { label, input, word })
  return label
}
