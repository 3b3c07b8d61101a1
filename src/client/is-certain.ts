import type { ServiceFailure } from './failure.js'
import { isOfGateway } from './rejection.js'

/**
 * True if the service certainly did nothing: no byte was sent, or a complete answer is a rejection. A rejection with a 5xx
 * status may come from something in front of a service that went on.
 */
export function isCertain(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  return (failure.kind === 'refused' || failure.kind === 'unauthorized') && failure.status < 500
}

/**
 * True if a `configure` provably did not reach the service: besides an unsent one, only an error body counts in which the
 * service itself rejects it. An answer that something before the service could give as well, such as a bare 403, leaves
 * open whether another copy of the request arrives. Service §2.2.
 */
export function isProven(failure: ServiceFailure): boolean {
  if (!isCertain(failure)) return false
  if (failure.kind === 'unauthorized') return failure.code !== undefined && !isOfGateway(failure.status)
  return failure.kind !== 'refused' || !isOfGateway(failure.status)
}

/**
 * True for a failure of an address whose service is not up yet: no name, no listener, or only an ingress in front of it. A
 * rejected certificate or sign-in comes from a service that is up, and waiting does not fix it.
 */
export function isNotUpYet(failure: ServiceFailure): boolean {
  switch (failure.kind) {
    case 'not-sent':
      return failure.cause === 'name' || failure.cause === 'connection'
    case 'no-answer':
      return true
    case 'trouble':
      return isOfIngress(failure.status)
    case 'not-understood':
      return failure.status === 404 || isOfIngress(failure.status)
    // With an error body, the service is up and has no site at this path.
    case 'not-found':
      return failure.message === undefined
    case 'sign-in-page':
    case 'refused':
    case 'unauthorized':
    case 'redirected':
      return false
    default:
      return failure satisfies never
  }
}

/** The statuses of an ingress for a service that it does not reach. */
function isOfIngress(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
