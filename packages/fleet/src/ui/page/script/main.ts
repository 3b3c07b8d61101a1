import { byId, element, say } from '../../../../../page/script/element.js'
import type { FleetDocument } from '../../../report/history.js'

type Site = FleetDocument['sites'][number]

/** The fleet page in a browser. */
const pollMs = 2000
/** Of more sites, those that need a person come first, and a search finds the others. */
const maxRows = 500
const kept = 'landform-token'
const search = byId('search', HTMLInputElement)
let fleet: FleetDocument | undefined
let etag = ''
let loadedAt = ''

const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given !== null) {
  sessionStorage.setItem(kept, given)
  // The address may be copied, and would be kept in the history.
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
    say(byId('link'), token === null ? 'token needed' : 'Wrong token.')
    byId('token').focus()
    return false
  }
  const isKnown = response?.status === 304
  const body = isKnown ? fleet : await response?.json().catch(() => undefined)
  const isLive = body !== undefined && (isKnown || response?.ok === true)
  if (isLive) loadedAt = new Date().toLocaleTimeString('en-GB')
  const problem = body?.error?.message ?? 'The page has no connection to its server.'
  byId('link').className = isLive ? 'live' : 'lost'
  say(byId('link'), isLive ? 'live' : `${problem}${loadedAt && ` The data is of ${loadedAt}.`}`)
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
  const counts = Object.entries(states).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []))
  say(byId('counts'), all === 0 ? 'No sites have been submitted.' : `${all} sites: ${counts.join(', ')}.`)
  const lines = [
    ...rollouts
      .filter(({ state }) => state === 'running' || state === 'stopped')
      .map(one => `Rollout ${one.id} by ${one.submittedBy}: wave ${one.wave} of ${one.waves}, ${one.state}`),
    ...workers.map(
      one => `Worker ${one.worker}: ${one.isSilent ? 'silent' : 'alive'}, up to ${one.limit} sites`,
    ),
    ...(workers.length === 0 ? ['No worker is running: landform fleet worker'] : []),
  ]
  byId('lines').replaceChildren(...lines.map(line => element('li', '', line)))
  const words = search.value.toLowerCase().split(/\s+/)
  const found = sites.filter(site => {
    const text = Object.values(site).join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  })
  byId('rows').replaceChildren(...found.slice(0, maxRows).map(formatRow))
  const shown = Math.min(found.length, maxRows)
  say(byId('none'), shown === all ? '' : `${shown} of ${all} sites are shown; search for others.`)
}

function formatRow(site: Site): HTMLElement {
  const { state, phase, stages, retries, message, warnings } = site
  const through = stages.filter(one => one.state === 'completed' || one.state === 'not_applicable').length
  const progress = stages.length === 0 ? '' : ` ${through}/${stages.length}`
  const open = stages.filter(one => one.state === 'in_progress' || one.state === 'failed')
  const isNeedy = ['ambiguous', 'failed', 'refused', 'unfinished'].includes(state)
  const cells = [
    [site.site, site.url],
    [site.isCancelRequested && state === 'running' ? 'cancelling' : state],
    [
      state === 'waiting' ? `wave ${site.wave}` : `${phase ?? ''}${progress}`,
      ...open.map(({ name }) => name),
      ...(retries === 0 ? [] : [`retry ${retries}`]),
    ],
    [site.worker ?? ''],
    [new Date(site.changedAt).toLocaleString('sv')],
    [message ?? '', ...warnings.map(warning => `warning: ${warning}`)],
  ]
  const formatCell = (lines: readonly string[]) =>
    element('td', '', ...lines.map(line => element('p', '', line)))
  return element('tr', isNeedy ? 'needy' : state, ...cells.map(formatCell))
}
