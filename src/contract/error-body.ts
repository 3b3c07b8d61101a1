/** The parts of an error response. */
interface ErrorAnswer {
  readonly status: number
  /** The code in the body. */
  readonly code?: number
  /** The body is not that of Service §2.2. */
  readonly isUndocumented?: boolean
}

/** True for the documented error body with a code and a status that no gateway invents. Service §2.2. */
export function isOwnError({ status, code = 0, isUndocumented = false }: ErrorAnswer): boolean {
  return !isUndocumented && code >= 400 && code < 600 && !isOfGateway(code) && !isOfGateway(status)
}

/** True for a status or code that a proxy may set: it proves nothing about the service. RFC 9110 §15. */
export function isOfGateway(code: number): boolean {
  return gatewayCodes.includes(code) || (code > 500 && code < 600)
}

/** Codes that proxies, gateways and load balancers use, in addition to those above 500. */
const gatewayCodes: readonly number[] = [
  407, 408, 421, 425, 429, 440, 444, 449, 460, 461, 463, 464, 494, 495, 496, 497,
]
