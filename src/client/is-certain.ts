import type { ServiceFailure } from './failure.js'

/**
 * True where the service certainly did nothing: no byte was sent, or a whole answer says no. A no with a status of
 * trouble may come from something in front of a service that went on.
 */
export function isCertain(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  return (failure.kind === 'refused' || failure.kind === 'unauthorized') && failure.status < 500
}
