// The service of the stage, in its own process, so the times of its records are accurate. It sends its parent the URLs of the
// sites, and the requests on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { parseFaults } from '../../../src/cli/emulator/emulator-options.js'
import type { RequestEnding } from '../../../src/emulator/faults/ending.js'
import { readBytes } from '../../../src/emulator/http/read-body.js'
import { sendEnding } from '../../../src/emulator/http/send-ending.js'
import { computeFraction } from '../../../src/emulator/service/timeline.js'
import type { Counter } from '../../../src/emulator/service/world.js'
import { createSiteInProcess, type InProcessSite } from '../../../src/emulator/site.js'
import type { Seen } from '../judge/requests.js'
import { nameHeader } from './named-requests.js'
import type { ServiceOptions } from './service.js'

interface Place {
  readonly site: InProcessSite
  /** Answers polls while the configuration is not visible yet. */
  readonly untouched: InProcessSite
}

const options = JSON.parse(process.argv[2] ?? '{}') as ServiceOptions
const { sites: count, stageMs, unseenMs = 0, answerMs = [0, 0], faults = [] } = options
const { ofSites } = parseFaults(faults, count)
const seen: Seen[] = []
const places = new Map<number, Place>()
const writing = ['configure', 'update'] as const
const wait = (ms: number) => setTimeout(ms, undefined)

const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
  answered(incoming, outgoing).catch(() => outgoing.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = Array.from({ length: count }, (_, at) => `${origin}/site-${at + 1}/admin`)
  for (const [at, url] of urls.entries()) {
    const rules = ofSites.get(at + 1) ?? []
    const surroundings = { url, now: Date.now, stageMs }
    places.set(at + 1, {
      site: createSiteInProcess({ ...surroundings, faults: rules }),
      untouched: createSiteInProcess(surroundings),
    })
  }
  process.send?.(urls)
})
process.on('message', (from: number) => process.send?.(seen.slice(from)))
process.on('disconnect', () => process.exit())

async function answered(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method, url = '', headers } = incoming
  const number = Number(/^\/site-(\d+)\//.exec(url)?.[1])
  const place = places.get(number)
  if (place === undefined) throw new Error('no site')
  const raw = { method, url, headers, bytes: await readBytes(incoming) }
  const begunAt = place.site.world().configuration?.begunAt ?? Number.NEGATIVE_INFINITY
  const isHidden = method === 'GET' && Date.now() < begunAt + unseenMs
  const shown = isHidden ? place.untouched : place.site
  const arrival = await shown.arrive(raw)
  if (arrival.heldMs > 0) await wait(arrival.heldMs)
  const before = shown.world().counters
  const ending = arrival.deliver()
  const operation = writing.find(name => url.endsWith(`/${name}`)) ?? 'root'
  const by = String(headers[nameHeader] ?? '')
  const { received, accepted } = differing(before[operation], shown.world().counters[operation])
  const one = { at: Date.now(), site: number, operation, by, accepted: accepted > 0 }
  // A request that is carried out twice counts twice, as from a client that retries.
  seen.push(one, ...Array.from({ length: received - 1 }, () => ({ ...one, accepted: false })))
  await sendEnding(outgoing, method === 'GET' ? ending : late(ending, number), wait)
}

function differing(before: Counter, after: Counter): Counter {
  return { received: after.received - before.received, accepted: after.accepted - before.accepted }
}

function late(ending: RequestEnding, site: number): RequestEnding {
  const [from, to] = answerMs
  if (ending.kind !== 'answer') return ending
  const waitMs = from + (to - from) * computeFraction(site, 'answer')
  return { ...ending, waitMs: (ending.waitMs ?? 0) + waitMs }
}
