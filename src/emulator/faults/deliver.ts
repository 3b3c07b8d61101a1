import { isErrorResponse } from '../service/answers.js'
import type { ServiceRequest } from '../service/request.js'
import type { Handler, World } from '../service/world.js'
import type { Delivery } from './delivery.js'
import { applyAnswerFault, buildFaultEnding, toSentAnswer } from './ending.js'
import { type Fault, isCarriedOut } from './fault.js'
import { countReceived } from './meet.js'

/** A request for the service, and the fault that it meets. */
export interface PendingRequest {
  readonly request: ServiceRequest
  readonly fault: Fault | undefined
  readonly now: number
  /** The handler that carries it out. */
  readonly route: Handler
}

/**
 * Carries a request out unless a fault prevents that, and decides what its sender gets to see; uses no socket. Counts every
 * request as received, also one that a fault keeps from the service; a duplicate counts twice.
 */
export function deliver(
  world: World,
  { request, fault, now, route }: PendingRequest,
): readonly [World, Delivery] {
  const own = fault === undefined ? undefined : buildFaultEnding(fault, request)
  if (own !== undefined && !isCarriedOut(fault))
    return [countReceived(world, request.target.operation), { carriedOut: 0, accepted: false, ending: own }]
  const [once, first] = route(world, request, now)
  const [next, second] = fault?.kind === 'duplicate' ? route(once, request, now) : [once]
  const responses = second === undefined ? [first] : [first, second]
  const chosen = fault?.kind === 'duplicate' && fault.answer === 'second' ? second : first
  const delivery = {
    carriedOut: responses.length,
    accepted: responses.some(response => !isErrorResponse(response)),
    response: first,
    ending: own ?? applyAnswerFault(toSentAnswer(chosen ?? first), fault),
  }
  return [next, delivery]
}

/** The delay before a request is carried out. */
export function computeHoldMs(fault: Fault | undefined): number {
  return fault?.kind === 'delay' && fault.point === 'before' ? fault.ms : 0
}
