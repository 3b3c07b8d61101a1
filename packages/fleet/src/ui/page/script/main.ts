import { byId, element, markElement, say } from '../../../../../page/script/element.js'
import { markOf } from '../../../../../page/script/words.js'
import type { FleetDocument } from '../../../report/history.js'

type Site = FleetDocument['sites'][number]

const pollMs = 2000
const kept = 'landform-token'
const search = byId('search', HTMLInputElement)
const asked = byId('token', HTMLInputElement)
const rows = byId('rows')
/** The sites whose details are open. */
const opened = new Set<string>()
let etag = ''
let asks = 0
let loadedAt = ''

const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given !== null) {
  sessionStorage.setItem(kept, given)
  // The address may be copied, and would be kept in the history.
  history.replaceState(null, '', location.pathname)
}

byId('ask', HTMLFormElement).addEventListener('submit', event => {
  event.preventDefault()
  sessionStorage.setItem(kept, asked.value)
  asked.value = ''
  void refresh()
})
search.addEventListener('input', () => void refresh())
for (;;) {
  await refresh()
  await new Promise(resolve => setTimeout(resolve, pollMs))
}

/** Loads the document, and shows it where it has changed. */
async function refresh(): Promise<void> {
  asks += 1
  const number = asks
  const token = sessionStorage.getItem(kept)
  const headers = {
    'if-none-match': etag,
    ...(token !== null && { authorization: `Bearer ${token.replaceAll(/[^\x21-\x7e]/g, '')}` }),
  }
  const path = `api/fleet?search=${encodeURIComponent(search.value)}`
  const response = await fetch(path, { headers, cache: 'no-store' }).catch(() => undefined)
  if (number !== asks) return
  if (response?.status === 401) return askForToken(token !== null)
  if (response?.status === 304) return report()
  const body = await response?.json().catch(() => undefined)
  if (number !== asks) return
  if (response?.ok !== true || body === undefined)
    return report(body?.error?.message ?? 'The page has no connection to its server.')
  etag = response.headers.get('etag') ?? ''
  show(body)
  report()
}

function askForToken(isWrong: boolean): void {
  sessionStorage.removeItem(kept)
  byId('ask').hidden = false
  byId('fleet').hidden = true
  say(byId('link'), 'token needed')
  say(byId('trouble'), 'Wrong token.')
  byId('trouble').hidden = !isWrong && byId('trouble').hidden
  if (document.activeElement === document.body) asked.focus()
}

/** Shows whether the data is fresh. */
function report(problem?: string): void {
  if (problem === undefined) loadedAt = new Date().toLocaleTimeString('en-GB')
  byId('link').className = problem === undefined ? 'live' : 'lost'
  say(byId('link'), problem === undefined ? 'live' : 'not live')
  byId('trouble').hidden = problem === undefined
  say(byId('trouble'), `${problem ?? ''}${loadedAt === '' ? '' : ` The data is of ${loadedAt}.`}`)
}

function show({ summary, sites, rollouts, workers }: FleetDocument): void {
  byId('ask').hidden = true
  byId('fleet').hidden = false
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
  byId('lines').replaceChildren(...lines.map(line => element('li', '', element('bdi', '', line))))
  const focused = document.activeElement?.closest('tr')?.dataset['url']
  rows.replaceChildren(...sites.map(formatRow))
  if (focused !== undefined)
    [...rows.children]
      .find(row => row instanceof HTMLElement && row.dataset['url'] === focused)
      ?.querySelector('summary')
      ?.focus()
  byId('none').hidden = sites.length === all
  say(byId('none'), `${sites.length} of ${all} sites are shown; search for others.`)
}

function formatRow(site: Site): HTMLElement {
  const { url, state, phase, stages, worker, isCancelRequested } = site
  const through = stages.filter(one => one.state === 'completed' || one.state === 'not_applicable').length
  const progress = stages.length === 0 ? '' : ` ${through}/${stages.length}`
  const isNeedy = ['ambiguous', 'failed', 'refused', 'unfinished'].includes(state)
  const cell = (text: string, name = '') => element('td', name, element('bdi', '', text))
  const row = element(
    'tr',
    isNeedy ? 'needy' : state,
    cell(site.site),
    cell(isCancelRequested && state === 'running' ? 'cancelling' : state, 'state'),
    cell(state === 'waiting' ? `wave ${site.wave}` : `${phase ?? ''}${progress}`),
    cell(worker ?? ''),
    element('td', '', element('time', '', new Date(site.changedAt).toLocaleString('sv'))),
    element('td', '', formatDetails(site)),
  )
  row.dataset['url'] = url
  return row
}

function formatDetails({
  site,
  url,
  worker,
  generation,
  retries,
  rollout,
  message,
  warnings,
  stages,
}: Site): HTMLElement {
  const summary = element('summary', '', element('bdi', '', message || 'Details'))
  const items = stages.map(stage => {
    const [sign, meaning] = markOf(stage.state)
    return element('li', '', markElement(sign), ' ', element('bdi', '', `${stage.name}: ${meaning}`))
  })
  const facts = [
    url,
    `${worker === null ? '' : `at ${worker}, `}run ${generation} of rollout ${rollout}${retries === 0 ? '' : `, retried ${retries} times`}`,
    ...warnings.map(warning => `warning: ${warning}`),
    `landform fleet history ${/^[\w.-]+$/.test(site) ? site : `'${url}'`} -v`,
  ]
  const text = facts.map(fact => element('p', '', element('bdi', '', fact)))
  const details = element('details', '', summary, ...text, element('ol', '', ...items))
  details.open = opened.has(url)
  details.addEventListener('toggle', () => void (details.open ? opened.add(url) : opened.delete(url)))
  return details
}
