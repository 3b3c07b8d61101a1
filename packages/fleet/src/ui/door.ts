import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { type Answer, refusal } from '../../../../src/page/answer.js'
import { hostOf, isOfOtherSite } from '../../../../src/page/asked-by.js'
import { isLoopback, type ListenAddress, parseListenAddress } from '../model/listen-address.js'

/** A request to the page, and where its answer goes. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Under which hosts a page is reached. */
export interface Door {
  readonly listen: ListenAddress
  /** Names that lead here, such as that of a proxy. */
  readonly names: readonly string[]
}

/**
 * Turns away what a page of another site caused, and what was meant for another host: a page that had its own name point
 * here would carry that name.
 */
export function turnedAway(incoming: IncomingMessage, door: Door): Answer | undefined {
  const { method = '', url = '', headers } = incoming
  const host = hostOf(incoming)
  if (!url.startsWith('/') || host === undefined || !isOwnHost(host, door)) return misdirected
  if (!methods.includes(method)) return wrongMethod
  if (method === 'POST' && !isOwnOrigin(headers.origin, host)) return fromElsewhere
  // A link may lead to the page from anywhere, for the page alone shows nothing.
  const isLink = method !== 'POST' && headers['sec-fetch-mode'] === 'navigate' && url === '/'
  return isOfOtherSite(incoming) && !isLink ? fromElsewhere : undefined
}

const methods = ['GET', 'HEAD', 'POST']
const misdirected = refusal(
  421,
  'This page answers to its own address only; --host adds a name that leads here.',
)
const fromElsewhere = refusal(403, 'No page of another site may ask.')

/** The answer to what would change something. */
export const wrongMethod = refusal(405, 'Nothing here changes anything: ask with GET.')

/** True for the address that is listened on, and where that is open to others for any number and the names that are known. */
function isOwnHost(host: string, { listen, names }: Door): boolean {
  const asked = parseListenAddress(host) ?? parseListenAddress(`${host}:80`)
  if (asked === undefined) return false
  if (names.includes(asked.host)) return true
  if (!isLoopback(listen)) return isIP(asked.host) !== 0 || isLoopback(asked) || asked.host === listen.host
  return isLoopback(asked) && asked.port === listen.port
}

function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
