import type { ServiceFailure } from './failure.js'

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

/** The statuses of an ingress for a service that it does not reach. */
function isOfIngress(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
