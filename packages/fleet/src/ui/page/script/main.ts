import { makeCopy } from '../../../../../page/script/copy.js'
import { byId, element, say } from '../../../../../page/script/element.js'
import type { FleetDocument } from '../../../report/history.js'

type Site = FleetDocument['sites'][number]

/** The fleet page in a browser. */
const pollMs = 2000
/** Maximum number of rows. Sites that need a person come first, and a search finds the others. */
const maxRows = 500
const kept = 'landform-token'
const timeFormat = { dateStyle: 'short', timeStyle: 'long' } as const
const search = byId('search', HTMLInputElement)
let fleet: FleetDocument | undefined
/** The states of sites that need a person. */
const needy = ['ambiguous', 'failed', 'refused', 'unfinished']
/** The states to show; empty for all. */
const chosen = new Set<string>()
let etag = ''
let loadedAt = ''

const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given !== null) {
  sessionStorage.setItem(kept, given)
  // Removes the token from the address, which may be copied and is kept in the browser history.
  history.replaceState(null, '', location.pathname)
}

byId('ask', HTMLFormElement).addEventListener('submit', event => {
  event.preventDefault()
  sessionStorage.setItem(kept, byId('token', HTMLInputElement).value)
  location.reload()
})
search.addEventListener('input', show)
while (await refresh()) await new Promise(resolve => setTimeout(resolve, pollMs))

async function refresh(): Promise<boolean> {
  const token = sessionStorage.getItem(kept)
  const headers = {
    'if-none-match': etag,
    ...(token !== null && { authorization: `Bearer ${token.replaceAll(/[^\x21-\x7e]/g, '')}` }),
  }
  const response = await fetch('api/fleet', { headers, cache: 'no-store' }).catch(() => undefined)
  if (response?.status === 401) {
    sessionStorage.removeItem(kept)
    byId('ask').hidden = false
    byId('fleet').hidden = true
    say(byId('link'), token === null ? 'token required' : 'wrong token')
    byId('token').focus()
    return false
  }
  const isKnown = response?.status === 304
  const body = isKnown ? fleet : await response?.json().catch(() => undefined)
  const isLive = body !== undefined && (isKnown || response?.ok === true)
  if (isLive) loadedAt = new Date().toLocaleTimeString('en-GB', { timeZoneName: 'short' })
  const problem = body?.error?.message ?? 'The page has no connection to its server.'
  byId('link').className = isLive ? 'live' : 'lost'
  say(byId('link'), isLive ? 'live' : `${problem}${loadedAt && ` Last update: ${loadedAt}.`}`)
  if (isLive && !isKnown) {
    fleet = body
    etag = response?.headers.get('etag') ?? ''
    show()
  }
  return true
}

function show(): void {
  if (fleet === undefined) return
  byId('fleet').hidden = false
  const { summary, sites, rollouts, workers } = fleet
  const { sites: all, ...states } = summary
  const counts = Object.entries(states).filter(([, count]) => count > 0)
  const words = counts.map(([state, count]) => `${count} ${state}`)
  say(byId('counts'), all === 0 ? 'No sites have been submitted.' : `${all} sites: ${words.join(', ')}.`)
  for (const state of chosen) if (!counts.some(([name]) => name === state)) chosen.delete(state)
  showChips(all, counts)
  byId('lines').replaceChildren(
    ...rollouts.filter(({ state }) => state === 'running' || state === 'stopped').map(formatRollout),
    ...workers.map(({ worker, isSilent, limit }) =>
      element('li', '', `Worker ${worker}: ${isSilent ? 'no heartbeat' : 'alive'}, up to ${limit} sites.`),
    ),
    ...(workers.length > 0
      ? []
      : [element('li', '', 'No worker is running: ', formatCommand('landform fleet worker'))]),
  )
  const wanted = search.value.toLowerCase().split(/\s+/)
  const found = sites.filter(site => {
    const text = Object.values(site).join(' ').toLowerCase()
    return (chosen.size === 0 || chosen.has(site.state)) && wanted.every(word => text.includes(word))
  })
  byId('rows').replaceChildren(...found.slice(0, maxRows).map(formatRow))
  const shown = Math.min(found.length, maxRows)
  const more = found.length > maxRows ? ' Search to find the others.' : ''
  say(byId('none'), shown === all ? '' : `${shown} of ${all} sites are shown.${more}`)
}

/** Shows the number of sites in each state as buttons that filter. Keeps the focus, which a new button would lose. */
function showChips(all: number, counts: readonly (readonly [string, number])[]): void {
  const focused = document.activeElement?.getAttribute('data-state')
  const chips = [['', all] as const, ...counts].map(([state, count]) => {
    const chip = element('button', `chip ${state}`, `${count} ${state || (count === 1 ? 'site' : 'sites')}`)
    chip.type = 'button'
    chip.dataset['state'] = state
    chip.ariaPressed = String(state === '' ? chosen.size === 0 : chosen.has(state))
    chip.addEventListener('click', () => {
      if (state === '') chosen.clear()
      else if (!chosen.delete(state)) chosen.add(state)
      show()
    })
    return chip
  })
  byId('chips').replaceChildren(...chips)
  chips.find(({ dataset }) => dataset['state'] === focused)?.focus()
}

function formatRollout({
  id,
  submittedBy,
  wave,
  waves,
  state,
}: FleetDocument['rollouts'][number]): HTMLElement {
  const resume = `landform fleet resume --rollout ${id}`
  const commands = state === 'stopped' ? [resume, `${resume} --skip-failed`] : []
  const text =
    state === 'stopped'
      ? `Rollout ${id} by ${submittedBy} stopped after wave ${wave} of ${waves}: a site did not succeed.`
      : `Rollout ${id} by ${submittedBy}: wave ${wave} of ${waves} is running.`
  return element('li', '', text, ...commands.map(formatCommand))
}

/** Formats a command with a button that copies it. */
function formatCommand(command: string): HTMLElement {
  const button = element('button', '', 'Copy')
  button.type = 'button'
  button.ariaLabel = `Copy ${command}`
  const code = element('code', '', command)
  makeCopy(button, code)
  return element('span', 'command', code, button)
}

function formatRow(site: Site): HTMLElement {
  const { state, phase, stages, retries, message, warnings, url } = site
  const through = stages.filter(one => one.state === 'completed' || one.state === 'not_applicable').length
  const progress = stages.length === 0 ? '' : ` ${through}/${stages.length}`
  const open = stages.filter(one => one.state === 'in_progress' || one.state === 'failed')
  const shown = site.isCancelRequested && state === 'running' ? 'cancelling' : state
  const address = element('p', 'address', url)
  address.title = url
  const lines = (...texts: readonly string[]) => texts.map(text => element('p', '', text))
  const name = /^[\w.][\w.-]*$/.test(site.site) ? site.site : url
  const cells = [
    [...lines(site.site), address],
    [element('span', `chip ${shown}`, shown)],
    lines(
      state === 'waiting' ? `wave ${site.wave}` : `${phase ?? ''}${progress}`,
      ...open.map(one => one.name),
      ...(retries === 0 ? [] : [`retry ${retries}`]),
    ),
    lines(site.worker ?? ''),
    lines(new Date(site.changedAt).toLocaleString('sv', timeFormat)),
    [
      ...lines(message ?? '', ...warnings.map(warning => `warning: ${warning}`)),
      ...(needy.includes(state) ? [formatCommand(`landform fleet history ${name}`)] : []),
    ],
  ]
  return element('tr', '', ...cells.map(cell => element('td', '', ...cell)))
}
