import { makeCopy } from '../../../../packages/page/script/copy.js'
import { byId, element, say } from '../../../../packages/page/script/element.js'
import { markOf } from '../../../../packages/page/script/words.js'
import type { PublishedRequest, SiteChange } from '../../control/observer.js'
import type { EmulatedSiteStatus, StateDocument } from '../../control/state-document.js'
import type { RecordedRequest } from '../../log/request-log.js'
import { clearRequests, showRequest } from './requests.js'
import { showSites, showTile, tally } from './sites.js'
import { showSite } from './stages.js'
import { nameOf, siteWord } from './words.js'

type StateChange = Extract<SiteChange, { readonly event: 'state' }>
type StageChange = Extract<SiteChange, { readonly event: 'stage' }>

const here = '/_emulator/'
const sites = new Map<string, EmulatedSiteStatus>()
let chosen: string | undefined
let stream: EventSource
let speed = 1
let tallyIsOld = false
let lastShown = 0
let resets = 0
/** The stream whose events continue the data that is shown. */
let loadedStream: EventSource | undefined
/** Events that arrived while everything is read again. */
let queue: (() => void)[] | undefined
/** The clock of the service, less the clock of this page times the speed. */
let ahead = 0

const now = () => performance.now() * speed + ahead
const query = () => (chosen === undefined ? '' : `site=${encodeURIComponent(chosen)}`)

/** Trusts the documents, because the script and they come from the same server. */
async function readState(): Promise<StateDocument> {
  return (await fetch(`${here}state.json`)).json()
}

async function readRequests(): Promise<{ readonly requests: readonly RecordedRequest[] }> {
  return (await fetch(`${here}requests.json?limit=200&${query()}`)).json()
}

/** Reads everything again: at the start, for another site, and after a gap. New events wait in the queue. */
async function reset(): Promise<void> {
  resets += 1
  const mine = resets
  const ofStream = stream
  queue ??= []
  const state = await readState()
  chosen ??= state.sites[0]?.site
  const { requests } = await readRequests()
  if (mine !== resets) return
  speed = state.speed
  ahead = state.now - performance.now() * speed
  for (const site of state.sites) sites.set(site.site, site)
  showFacts(state)
  showSites([...sites.values()], chosen, choose)
  clearRequests()
  lastShown = 0
  for (const request of [...requests].reverse()) show(request)
  const waiting = queue
  queue = undefined
  for (const happen of waiting) happen()
  draw()
  loadedStream = ofStream
  if (ofStream.readyState === EventSource.OPEN) showLink('live', 'live')
}

/** Shows a request once, although it may be in the document and in the events. */
function show(request: RecordedRequest): void {
  if (request.id <= lastShown) return
  lastShown = request.id
  showRequest(request)
}

const resetOrRetry = () => reset().catch(() => setTimeout(listen, 1000))

function choose(site: string): void {
  chosen = site
  listen()
}

function listen(): void {
  stream?.close()
  const mine = new EventSource(here + (chosen === undefined ? 'events' : `events?${query()}`))
  stream = mine
  const on = <T>(name: string, take: (data: T) => void) =>
    mine.addEventListener(name, ({ data }: MessageEvent<string>) => {
      const happen = () => take(JSON.parse(data))
      if (queue === undefined) happen()
      else queue.push(happen)
    })
  mine.addEventListener('reset', resetOrRetry)
  on('state', happened)
  on('stage', stageMoved)
  on('request', requestCame)
  mine.onopen = () => mine === loadedStream && showLink('live', 'live')
  mine.onerror = () => showLink('lost', 'no connection: the emulator has stopped or does not answer')
}

function happened({ site, state, through }: StateChange): void {
  const known = sites.get(site)
  if (known === undefined) return
  const one = { ...known, state, through }
  sites.set(site, one)
  showTile(one, false)
  const isNews = known.state !== state
  tallyIsOld ||= isNews
  if (isNews && site === chosen) say(byId('news'), `The site is ${siteWord(state)}.`)
}

function stageMoved({ event: _, site, ...stage }: StageChange): void {
  const known = sites.get(site)
  if (known === undefined) return
  sites.set(site, { ...known, stages: known.stages.map(one => (one.name === stage.name ? stage : one)) })
  if (site === chosen) say(byId('news'), `${stage.name}: ${markOf(stage.state)[1]}`)
}

function requestCame({ counter, ...request }: PublishedRequest): void {
  const { site, operation, accepted, problem } = request
  const known = sites.get(site)
  if (known !== undefined && counter !== null)
    sites.set(site, { ...known, counters: { ...known.counters, [operation]: counter } })
  if (site !== chosen) return
  show(request)
  if (operation !== 'root' || !accepted)
    say(byId('news'), `${operation} was ${accepted ? 'accepted' : `refused: ${problem ?? 'it met a fault'}`}`)
}

function draw(): void {
  const one = chosen === undefined ? undefined : sites.get(chosen)
  if (one === undefined) return
  showSite(one, now())
  if (tallyIsOld) tally([...sites.values()])
  tallyIsOld = false
  say(byId('url'), one.url)
  say(byId('site-title'), sites.size > 1 ? nameOf(one.site) : 'Site')
  for (const place of document.querySelectorAll('.url')) say(place, one.url)
}

function showFacts({ serviceVersion, fidelity, scenario, faults }: StateDocument): void {
  const facts = {
    version: serviceVersion,
    fidelity,
    scenario: scenario ?? 'none',
    speed: `${speed}×`,
    ...(sites.size > 1 && { sites: `${sites.size}` }),
    ...(faults.length > 0 && { faults: faults.map(shortened).join('; ') }),
  }
  const pairs = Object.entries(facts).map(([name, value]) =>
    element('div', '', element('dt', '', name), element('dd', '', value)),
  )
  byId('facts').replaceChildren(...pairs)
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

function showLink(className: string, text: string): void {
  byId('link').className = className
  say(byId('link'), text)
}

makeCopy(byId('copy', HTMLButtonElement), byId('url'))
byId('polls').addEventListener('change', resetOrRetry)
listen()
setInterval(draw, 200)
