import { byId, element, say } from '../../../../packages/page/script/element.js'
import { nameOf, siteWord } from './words.js'

const tiles = new Map()

/** Shows one tile per site; they are radio buttons, so arrow keys and screen readers work. */
export function showSites(sites, chosen, choose) {
  byId('many').hidden = sites.length < 2
  if (sites.length < 2) return
  if (tiles.size === 0) {
    byId('grid').append(...sites.map(({ site }) => newTile(site, choose)))
    byId('filter').addEventListener('input', () => filter(sites))
  }
  for (const one of sites) showTile(one, one.site === chosen)
  tally(sites)
}

/** Shows the progress of one site. */
export function showTile({ site, state, through, stages }, isChosen) {
  const tile = tiles.get(site)
  if (tile === undefined) return
  tile.label.className = state
  tile.label.style.setProperty('--through', `${through / stages.length}`)
  say(tile.word, `, ${siteWord(state)}`)
  if (isChosen) tile.input.checked = true
}

/** Counts the sites by state and applies the filter. */
export function tally(sites) {
  if (tiles.size === 0) return
  const counts = new Map()
  for (const { state } of sites) counts.set(state, (counts.get(state) ?? 0) + 1)
  say(byId('tally'), [...counts].map(([state, count]) => `${count} ${siteWord(state)}`).join(', '))
  filter(sites)
}

function filter(sites) {
  const wanted = byId('filter').value.trim().toLowerCase()
  for (const { site, state } of sites)
    tiles.get(site).label.hidden = ![nameOf(site), siteWord(state)].some(text => text.includes(wanted))
}

function newTile(site, choose) {
  const input = element('input')
  Object.assign(input, { type: 'radio', name: 'site' })
  input.addEventListener('change', () => choose(site))
  const word = element('span', 'unseen')
  const label = element('label', '', input, nameOf(site), word)
  tiles.set(site, { label, input, word })
  return label
}
