import { byId, say } from '../../../../../page/script/element.js'
import { moment, now } from './clock.js'
import { fleet } from './fleet.js'
import { view } from './route.js'
import type { LinkState } from './stream.js'

const linkWords: Readonly<Record<LinkState, string>> = {
  live: 'live',
  lost: 'no connection',
  'signed-out': 'not signed in',
}
let link: LinkState | undefined
let lostAt: number | undefined
let needy: number | undefined

/** Shows the number of sites that need a person in the window title, and announces when it grows. */
export function showNeed(count: number): void {
  const name = view.site === undefined ? '' : `${fleet.sites.get(view.site)?.name ?? view.site} · `
  document.title = `${count > 0 ? `(${count}) ` : ''}${name}Landform fleet`
  say(byId('need'), count === 0 ? '' : `${sitesText(count)} a person`)
  if (needy !== undefined && count > needy) say(byId('news'), `${sitesText(count)} a person.`)
  needy = count
}

const sitesText = (count: number) => (count === 1 ? 'One site needs' : `${count} sites need`)

/** Shows the state of the connection. */
export function showLink(state: LinkState): void {
  if (state !== 'live' && link === 'live') lostAt = now()
  link = state
  byId('link').className = state
  say(byId('link'), linkWords[state])
  showTrouble()
}

/** Marks stale data, which must not pass for current. */
export function showTrouble(): void {
  const { trouble } = fleet
  const outdated = trouble === null ? '' : `The data may be out of date: ${trouble.message}.`
  const text = link === 'lost' ? lostText() : outdated
  document.body.classList.toggle('stale', text !== '')
  byId('trouble').hidden = text === ''
  say(byId('trouble'), text)
}

function lostText(): string {
  const from = lostAt === undefined ? '' : ` The data is from ${moment(lostAt)}.`
  return `Connection lost; reconnecting.${from}`
}
