import type { IncomingMessage } from 'node:http'
import { hostOf, isOfOtherSite } from '../../page/asked-by.js'

/** The one address the emulator listens on: it is for this machine alone. */
export const loopback = '127.0.0.1'

/** Why a request is turned away before anything looks at what it asks for. */
export interface TurnedAway {
  readonly httpStatus: number
  readonly message: string
}

/** Where a request came in. */
export interface Door {
  readonly port: number
  readonly isControl: boolean
}

/**
 * Turns away what a web page caused, what was meant for another host, and what asks for more than an answer. A page
 * that had its own name point here would carry that name as Host, and one that posts across sites an Origin.
 */
export function turnedAway(incoming: IncomingMessage, { port, isControl }: Door): TurnedAway | undefined {
  const { headers, method, url = '' } = incoming
  if (!url.startsWith('/')) return misdirected
  const own = [loopback, 'localhost'].map(name => `${name}:${port}`)
  if (!own.includes(hostOf(incoming) ?? '')) return misdirected
  const ownPage = isControl && headers.origin === `http://${headers.host}`
  if (headers.origin !== undefined && !ownPage) return fromElsewhere
  if (isOfOtherSite(incoming)) return fromElsewhere
  if (method === 'TRACE') return { httpStatus: 405, message: 'The emulator sends nothing back to be traced.' }
  // Some clients offer h2c with every first request and go on without it.
  if (headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c')
    return { httpStatus: 400, message: 'The emulator speaks HTTP/1.1 only.' }
  return undefined
}

const misdirected = {
  httpStatus: 421,
  message:
    'This is an emulator of Landform, for rehearsals on this machine. It is no real site, and answers to its own address only.',
}
const fromElsewhere = {
  httpStatus: 403,
  message: 'Only local programs may ask, and no page of another site.',
}
