import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, document, guardedHeaders, refusal, sendAnswer } from '../../page/answer.js'
import { type EventStream, type Listener, listenersAtMost } from '../../page/event-stream.js'
import { openApiDocument } from '../../schema/openapi/document.js'
import type { Clock } from '../clock.js'
import type { WatchedSite } from '../emulated-site.js'
import { type RequestLog, requestsKept } from '../log/request-log.js'
import { pageAnswer } from '../page/page.js'
import { type EmulatorFacts, stateDocument } from './state-document.js'

/** Everything that the control path reads; it cannot change anything. */
export interface Watched {
  readonly facts: EmulatorFacts
  readonly clock: Clock
  readonly sites: ReadonlyMap<string, WatchedSite>
  readonly log: RequestLog
  readonly events: EventStream
}

/** Answers a request to the control path; `name` is the path after `/_emulator/`. */
export function control(watched: Watched, name: string, { incoming, outgoing }: Exchange): void {
  incoming.resume()
  const { method, url = '', headers } = incoming
  const wanted = readWanted(url, watched.sites)
  const lastEventId = headers['last-event-id']?.toString()
  if (method !== 'GET' && method !== 'HEAD') sendAnswer(outgoing, wrongMethod)
  else if (typeof wanted === 'string') sendAnswer(outgoing, refusal(400, wanted))
  else if (name === 'events' && method === 'GET')
    listen(watched.events, { outgoing, lastEventId, about: wanted.site })
  else sendAnswer(outgoing, answer(watched, name, wanted))
}

export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface Wanted {
  readonly site: string | undefined
  readonly before: number | undefined
  readonly limit: number
}

function answer({ facts, clock, sites, log }: Watched, name: string, wanted: Wanted): Answer {
  switch (name) {
    case '':
      return pageAnswer
    case 'state.json': {
      const one = [...sites].filter(([site]) => wanted.site === undefined || wanted.site === site)
      return document(stateDocument(facts, new Map(one), clock()))
    }
    case 'requests.json': {
      const requests = log.newest(wanted)
      const next = requests.length === wanted.limit ? (requests.at(-1)?.id ?? null) : null
      return document({ formatVersion: 1, requests, next })
    }
    case 'openapi.json':
      return document(openApiDocument(facts.serviceVersion, [...sites.values()][0]?.url))
    case 'events':
      return { httpStatus: 200, contentType: eventStream, content: '' }
    default:
      return nothing
  }
}

const wrongMethod = refusal(405, 'This path is read-only: use GET.')
const nothing = refusal(404, 'Not found. Available: state.json, requests.json, events and openapi.json.')
const eventStream = 'text/event-stream; charset=utf-8'

function listen(events: EventStream, listener: Listener): void {
  const { outgoing } = listener
  outgoing.setHeaders(new Map(Object.entries({ ...guardedHeaders(), 'content-type': eventStream })))
  if (!events.listen(listener))
    sendAnswer(outgoing, refusal(503, `Too many listeners: the limit is ${listenersAtMost}.`))
}

/** Reads the parameters; returns a message if one is invalid. */
function readWanted(url: string, sites: ReadonlyMap<string, WatchedSite>): Wanted | string {
  const parameters = new URLSearchParams(url.split('?').slice(1).join('?'))
  const site = parameters.get('site') ?? undefined
  if (site !== undefined && !sites.has(site)) return 'site must be one of the sites of state.json.'
  const limit = Number(parameters.get('limit') ?? requestsKept)
  const before = parameters.has('before') ? Number(parameters.get('before')) : undefined
  const whole = [limit, before ?? 1].every(number => Number.isInteger(number) && number > 0)
  return whole && limit <= requestsKept
    ? { site, before, limit }
    : `limit must be a number from 1 to ${requestsKept}, and before a value of \`next\`.`
}
