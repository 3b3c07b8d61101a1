import { byId, element, say } from '../../../../packages/page/script/element.js'
import { markOf } from '../../../../packages/page/script/words.js'
import { clearRequests, showRequest } from './requests.js'
import { showSites, showTile, tally } from './sites.js'
import { showSite } from './stages.js'
import { nameOf, siteWord } from './words.js'

const here = '/_emulator/'
const sites = new Map()
let chosen
let stream
let speed = 1
let tallyIsOld = false
let lastShown = 0
let resets = 0
/** The stream whose events continue the data that is shown. */
let loadedStream
/** Events that arrived while everything is read again. */
let queue
/** The clock of the service, less the clock of this page times the speed. */
let ahead = 0

const now = () => performance.now() * speed + ahead
const json = async name => (await fetch(here + name)).json()
const query = () => `site=${encodeURIComponent(chosen)}`

/** Reads everything again: at the start, for another site, and after a gap. Events meanwhile wait in the queue. */
async function reset() {
  resets += 1
  const mine = resets
  const ofStream = stream
  queue ??= []
  const state = await json('state.json')
  chosen ??= state.sites[0].site
  const { requests } = await json(`requests.json?limit=200&${query()}`)
  if (mine !== resets) return
  speed = state.speed
  ahead = state.now - performance.now() * speed
  for (const site of state.sites) sites.set(site.site, Object.assign(sites.get(site.site) ?? {}, site))
  showFacts(state)
  showSites([...sites.values()], chosen, choose)
  clearRequests()
  lastShown = 0
  for (const request of requests.reverse()) show(request)
  const waiting = queue
  queue = undefined
  for (const happen of waiting) happen()
  draw()
  loadedStream = ofStream
  if (ofStream.readyState === EventSource.OPEN) showLink('live', 'live')
}

/** Shows a request once, although it may be in the document and in the events. */
function show(request) {
  if (request.id <= lastShown) return
  lastShown = request.id
  showRequest(request)
}

const resetOrRetry = () => reset().catch(() => setTimeout(listen, 1000))

function choose(site) {
  chosen = site
  listen()
}

function listen() {
  stream?.close()
  stream = new EventSource(here + (chosen === undefined ? 'events' : `events?${query()}`))
  const on = (name, take) =>
    stream.addEventListener(name, ({ data }) => {
      const happen = () => take(JSON.parse(data))
      if (queue === undefined) happen()
      else queue.push(happen)
    })
  stream.addEventListener('reset', resetOrRetry)
  on('state', happened)
  on('stage', stageMoved)
  on('request', requestCame)
  stream.onopen = () => stream === loadedStream && showLink('live', 'live')
  stream.onerror = () => showLink('lost', 'no connection: the emulator has stopped or does not answer')
}

function happened({ site, state, through }) {
  const one = sites.get(site)
  if (one === undefined) return
  const isNews = one.state !== state
  Object.assign(one, { state, through })
  showTile(one, false)
  tallyIsOld ||= isNews
  if (isNews && site === chosen) say(byId('news'), `The site is ${siteWord(state)}.`)
}

function stageMoved({ site, name, ...stage }) {
  const known = sites.get(site)?.stages.find(one => one.name === name)
  if (known === undefined) return
  Object.assign(known, stage)
  if (site === chosen) say(byId('news'), `${name}: ${markOf(stage.state)[1]}`)
}

function requestCame({ counter, ...request }) {
  const { site, operation, accepted, problem } = request
  const one = sites.get(site)
  if (one !== undefined && counter !== null) one.counters[operation] = counter
  if (site !== chosen) return
  show(request)
  if (operation !== 'root' || !accepted)
    say(byId('news'), `${operation} was ${accepted ? 'accepted' : `refused: ${problem ?? 'it met a fault'}`}`)
}

function draw() {
  const one = sites.get(chosen)
  if (one === undefined) return
  showSite(one, now())
  if (tallyIsOld) tally([...sites.values()])
  tallyIsOld = false
  say(byId('url'), one.url)
  say(byId('site-title'), sites.size > 1 ? nameOf(chosen) : 'Site')
  for (const place of document.querySelectorAll('.url')) say(place, one.url)
}

function showFacts({ serviceVersion, fidelity, scenario, faults }) {
  const facts = {
    version: serviceVersion,
    fidelity,
    scenario: scenario ?? 'none',
    speed: `${speed}×`,
    ...(sites.size > 1 && { sites: sites.size }),
    ...(faults.length > 0 && { faults: faults.map(shortened).join('; ') }),
  }
  const pair = ([name, value]) => element('div', '', element('dt', '', name), element('dd', '', `${value}`))
  byId('facts').replaceChildren(...Object.entries(facts).map(pair))
}

const shortened = text => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

function showLink(className, text) {
  byId('link').className = className
  say(byId('link'), text)
}

byId('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(byId('url').textContent).then(
    () => say(byId('copy'), 'Copied'),
    () => getSelection().selectAllChildren(byId('url')),
  )
  setTimeout(() => say(byId('copy'), 'Copy'), 1500)
})
byId('polls').addEventListener('change', resetOrRetry)
listen()
setInterval(draw, 200)
