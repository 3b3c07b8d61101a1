import { otherReadings, storeReadings } from '../contract/readings.js'
import {
  type AnswerShape,
  type EvidenceEntry,
  listStoreIds,
  maxBodyBytes,
  maxStores,
  rootPath,
  visitedResources,
} from '../evidence/evidence.js'
import { toShape } from '../evidence/shape.js'
import type { JsonValue } from '../schema/json-schema.js'
import { noToken, retryWithNewToken, type TokenProvider } from '../secrets/token-provider.js'
import { get } from './connection.js'
import { findFailure, parseJson } from './decode.js'
import type { Reply } from './failure.js'
import type { GetRequest, HttpAnswer } from './message.js'
import type { Route } from './route.js'

/** The site, and the means to read it. */
interface ProbedSite {
  readonly url: string
  readonly provideToken: TokenProvider
  readonly route: Route
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/** A request of `landform probe`. */
const deadlineMs = 10_000

/**
 * Requests the documented and reported resources of a site with GET, one after the other, because their timings are kept.
 * Returns only the structure of each response. If there is a token, requests the root resource also without it.
 */
export async function probeSite(site: ProbedSite, signal: AbortSignal): Promise<readonly EvidenceEntry[]> {
  const signedIn = await site.provideToken(async token => token !== undefined)
  const own = await visit(site, { resource: rootPath, signedIn }, signal)
  const observations = [own.observation]
  if (signedIn) {
    const open = { ...site, provideToken: noToken }
    observations.push((await visit(open, { resource: rootPath, signedIn: false }, signal)).observation)
  }
  let ids: readonly string[] = []
  for (const { path: resource, query } of visitedResources) {
    const { observation, body } = await visit(site, { resource, signedIn }, signal, { path: resource, query })
    observations.push(observation)
    if (resource === otherReadings.dataStores.path) ids = listStoreIds(body).slice(0, maxStores)
  }
  for (const [at, id] of ids.entries())
    for (const { path: resource } of storeReadings) {
      const path = resource.replace('{store}', id)
      const { observation } = await visit(site, { resource, signedIn, store: at + 1 }, signal, { path })
      observations.push(observation)
    }
  return observations
}

interface Visit {
  readonly observation: EvidenceEntry
  readonly body: JsonValue
}

async function visit(
  { url, provideToken, route, now }: ProbedSite,
  about: Pick<EvidenceEntry, 'resource' | 'store' | 'signedIn'>,
  signal: AbortSignal,
  at: Pick<GetRequest, 'path' | 'query'> = { path: about.resource },
): Promise<Visit> {
  let milliseconds = 0
  const answer = await retryWithNewToken<Reply<HttpAnswer>>(provideToken, {
    async with(token) {
      const begun = now()
      const reply = await get({ url, ...at, token, route, deadlineMs, maxAnswerBytes: maxBodyBytes, signal })
      milliseconds = Math.round(now() - begun)
      return reply
    },
    wasRejected: reply => reply.ok && findFailure(reply.value)?.kind === 'unauthorized',
  })
  const body = answer.ok ? parseJson(answer.value.bytes) : undefined
  const observation = { ...about, answer: toObserved(about.resource, answer, body), milliseconds }
  return { observation, body: body ?? null }
}

function toObserved(resource: string, answer: Reply<HttpAnswer>, body: JsonValue | undefined): AnswerShape {
  if (!answer.ok) return { kind: 'none' }
  const { status, bytes, encoding, redirect } = answer.value
  // Not a status of HTTP (RFC 9110 §15), so it may be a value.
  if (status > 599) return { kind: 'none' }
  if (status >= 300 && status < 400) return { kind: 'redirect', status, to: redirect?.to ?? 'unclear' }
  if (encoding !== undefined) return { kind: 'compressed', status }
  if (body !== undefined) return { kind: 'json', status, body: toShape(body, resource) }
  const start = bytes.subarray(0, 1024).toString('latin1').trimStart()
  if (start === '') return { kind: 'empty', status }
  return { kind: /^(?:\u00ef\u00bb\u00bf)?\s*</.test(start) ? 'html' : 'text', status }
}
