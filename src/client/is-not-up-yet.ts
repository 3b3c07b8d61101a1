import type { ServiceFailure } from './failure.js'

/**
 * True for a look that an address gives before its service is there: no name, no listener, or only what stands in front
 * of it. A certificate and a sign-in that are refused come from a service that is up, and do not mend by waiting.
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
    // In words of its own it is a service that is up, and has no site at this path.
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

/** What an ingress says of a service that it does not reach. */
function isOfIngress(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
