import type { ServiceFailure } from '../client/failure.js'

/** True where the service certainly did nothing: no byte was sent, or a whole answer says no. */
export function isCertain(failure: ServiceFailure): boolean {
  return failure.kind === 'not-sent' || failure.kind === 'refused' || failure.kind === 'unauthorized'
}
