import type { ServiceFailure } from './failure.js'
import { isOfGateway } from './refusal.js'

/**
 * True where the service certainly did nothing: no byte was sent, or a whole answer says no. A no with a status of
 * trouble may come from something in front of a service that went on.
 */
export function isCertain(failure: ServiceFailure): boolean {
  if (failure.kind === 'not-sent') return true
  return (failure.kind === 'refused' || failure.kind === 'unauthorized') && failure.status < 500
}

/**
 * True where it is proven that a `configure` came to nothing: besides, only an error body counts in which the service
 * itself says no. What something before it could say as well, such as a bare 403, leaves open whether another copy of the
 * request arrives. Service §2.2.
 */
export function isProven(failure: ServiceFailure): boolean {
  if (!isCertain(failure)) return false
  if (failure.kind === 'unauthorized') return failure.code !== undefined && !isOfGateway(failure.status)
  return failure.kind !== 'refused' || !isOfGateway(failure.status)
}
