import { send } from '../client/connection.js'
import type { Reply, ServiceFailure } from '../client/failure.js'
import type { HttpAnswer, Message } from '../client/message.js'
import { selectProxy } from '../client/proxy.js'
import type { Route } from '../client/route.js'
import { isLoopback } from '../manifest/site-url.js'
import type { Result } from '../result.js'
import type { StorageAnswer } from '../state/folder-store.js'
import { tool } from '../version.js'

/** A request to object storage, a cluster or their token service. Responses have a few kilobytes. */
const deadlineMs = 20_000
/** The limit for an answer: a version has some kilobytes, a page of a listing some hundred. */
const maxAnswerBytes = 32 * 1024 * 1024

/** Never aborted: an interrupted run still writes how it ended. */
const { signal } = new AbortController()

/** Sends one request, once, to a server that keeps state, grants access to it or holds comments; never to a site. */
export function sendToStore(message: Message, route: Route): Promise<Reply<HttpAnswer>> {
  return send({ maxAnswerBytes, ...message, deadlineMs, signal, route })
}

/** Sends one request to object storage, and keeps only the parts of the answer that a store reads. */
export async function sendToStorage(
  message: Message,
  route: Route,
): Promise<Result<StorageAnswer, ReturnType<typeof classifyStoreFailure>>> {
  const reply = await sendToStore(message, route)
  if (!reply.ok) return { ok: false, error: classifyStoreFailure(reply.error) }
  const { status, bytes, header: run, retryAfterMs } = reply.value
  const more = { ...(run !== undefined && { run }), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return { ok: true, value: { status, bytes, ...more } }
}

/** A request to a credential endpoint on this machine. */
const nearbyDeadlineMs = 5000

/**
 * Requests credentials from an endpoint on this machine, or over TLS, without a proxy. Does not use the client of
 * sites: it rejects link-local addresses, and these endpoints have such addresses.
 */
export async function askNearby(
  address: string,
  headers: Readonly<Record<string, string>>,
  deadlineMs = nearbyDeadlineMs,
): Promise<Result<{ readonly status: number; readonly text: string }, 'address' | 'no-answer'>> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isAllowed =
    url !== undefined && (url.protocol === 'https:' || isLoopback(url.hostname) || isLinkLocal(url.hostname))
  if (!isAllowed) return { ok: false, error: 'address' }
  try {
    const answer = await fetch(url, {
      headers: { 'user-agent': tool, ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    })
    return { ok: true, value: { status: answer.status, text: await answer.text() } }
  } catch {
    return { ok: false, error: 'no-answer' }
  }
}

/** True for a link-local address, which no router forwards, and for the address of AWS credentials over IPv6. */
function isLinkLocal(hostname: string): boolean {
  return hostname.startsWith('169.254.') || hostname === '[fd00:ec2::23]'
}

/** Chooses the route to a server that keeps state; fails with the variable that names an unusable proxy. */
export function findStoreRoute(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Result<Route, string> {
  const choice = selectProxy(url, environment)
  if (choice.kind === 'unusable') return { ok: false, error: choice.variable }
  return { ok: true, value: choice.kind === 'proxy' ? { proxy: choice.proxy } : {} }
}

/** Classifies a request that got no answer. `said` is a code, and quotes nothing that was sent or received. */
export function classifyStoreFailure(failure: ServiceFailure) {
  const said = 'reason' in failure && failure.reason !== undefined ? failure.reason : failure.kind
  const proxy = failure.kind === 'not-sent' ? failure.proxy : undefined
  if (proxy !== undefined) {
    const at = `proxy ${proxy.host} in ${proxy.variable}`
    return { cause: 'unreachable', said: `${said}, ${at}`, byProxy: true } as const
  }
  if (failure.kind !== 'not-sent' || failure.cause !== 'tls') return { cause: 'unreachable', said } as const
  // The server sent no certificate, for example if an https URL names an http port.
  if (/^ERR_SSL_/.test(said)) return { cause: 'no-tls', said } as const
  const { certificate } = failure
  return { cause: 'untrusted-certificate', said, ...(certificate && { certificate }) } as const
}
