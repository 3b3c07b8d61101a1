import type { OperationName } from '../../contract/parameter.js'
import { isErrorResponse } from '../service/answers.js'
import type { ServiceRequest } from '../service/request.js'
import { computeFraction } from '../service/timeline.js'
import { countRequest as counted, type Handler, type World } from '../service/world.js'
import { computeTimeToReach } from './configuration-progress.js'
import { applyAnswerFault, buildFaultEnding, type Delivery, toSentAnswer } from './ending.js'
import {
  type Calls,
  type Fault,
  type FaultCondition,
  type FaultPlace,
  type FaultRule,
  isCarriedOut,
  type SiteFault,
} from './fault.js'

/** A request that arrived whole, before its fault is chosen. */
interface ArrivedRequest {
  readonly operation: OperationName | 'unknown'
  readonly now: number
}

/**
 * Counts a request, applies the site faults that are due, and finds the fault that the request meets: that of the first
 * rule that applies. Requests are counted in total and per operation.
 */
export function meetFault(
  world: World,
  { operation, now }: ArrivedRequest,
): readonly [World, Fault | undefined] {
  const called = countCall(world, operation)
  const happened = world.rules.reduce(
    (current, rule, index) => applySiteFault(current, rule, { index, now }),
    called,
  )
  const index = happened.rules.findIndex(
    (rule, at) => isAbout(rule, operation) && rule.on !== 'site' && isMet(happened, rule, { index: at, now }),
  )
  const rule = happened.rules[index]
  if (rule === undefined || rule.on === 'site') return [happened, undefined]
  return [markMet(happened, index), rule.fault]
}

/** Lists the faults of the site that apply at a moment. */
export function selectActiveFaults(world: World, now: number): readonly SiteFault[] {
  return world.rules.flatMap((rule, index) =>
    rule.on === 'site' && isMet(world, rule, { index, now }) ? [rule.fault] : [],
  )
}

/** Lists the rules that no request has met yet. */
export function listUnmetRules(world: World): readonly FaultRule[] {
  return world.rules.filter((_, index) => world.met[index] !== true)
}

/** Counts a request that a fault kept from being carried out. */
function countReceived(world: World, operation: OperationName | 'unknown'): World {
  return operation === 'unknown' ? world : counted(world, operation, 'received')
}

interface Moment {
  readonly index: number
  readonly now: number
}

function countCall(world: World, operation: OperationName | 'unknown'): World {
  const any = world.calls.any + 1
  if (operation === 'unknown') return { ...world, calls: { ...world.calls, any } }
  return { ...world, calls: { ...world.calls, any, [operation]: world.calls[operation] + 1 } }
}

function isAbout({ on }: FaultRule, operation: OperationName | 'unknown'): boolean {
  return on === 'any' || on === operation
}

function isMet(world: World, { on, when }: FaultRule, { index, now }: Moment): boolean {
  const { configuration, startedAt, durations, seed, calls } = world
  const since = (place: FaultPlace) => {
    if (configuration === undefined) return undefined
    // A site that was configured long ago has reached every stage, so a time counts from the start of the emulator.
    const begunAt = typeof place === 'number' ? (startedAt ?? configuration.begunAt) : configuration.begunAt
    const elapsed = now - begunAt - computeTimeToReach(place, durations)
    return elapsed < 0 ? undefined : elapsed
  }
  return appliesNow(when, { call: calls[on === 'site' ? 'root' : on], since, seed, index })
}

/** Applies a site fault, at most once. */
function applySiteFault(world: World, rule: FaultRule, moment: Moment): World {
  const { index } = moment
  if (rule.on !== 'site' || world.met[index] === true || !isMet(world, rule, moment)) return world
  const { fault } = rule
  // The other faults have no effect without a configuration.
  if (fault.kind !== 'replace' && world.configuration === undefined) return world
  const next = fault.kind === 'forget' || fault.kind === 'replace' ? removeConfiguration(world) : world
  if (fault.kind !== 'replace' && fault.kind !== 'upgrade') return markMet(next, index)
  const { version = world.version, build } = fault
  return markMet({ ...next, version, ...(build !== undefined && { build }) }, index)
}

function removeConfiguration({ configuration, upgradeConfig, ...world }: World): World {
  return world
}

function markMet(world: World, index: number): World {
  return world.met[index] === true
    ? world
    : { ...world, met: world.rules.map((_, at) => at === index || world.met[at] === true) }
}

/** The facts that decide whether a rule applies. */
interface CallSituation {
  /** The number of calls so far, including this one. */
  readonly call: number
  /** Milliseconds since a place of the configuration; undefined before it, or without a configuration. */
  since(place: NonNullable<FaultCondition['from']>): number | undefined
  readonly seed: number
  /** The index of the rule, so that two rules with the same chance do not always apply together. */
  readonly index: number
}

/** True if a rule applies: a pure function, so that a run with the same seed is reproducible. */
function appliesNow(when: FaultCondition, situation: CallSituation): boolean {
  return isCalled(when.calls, situation) && isThere(when, situation)
}

function isCalled(calls: Calls, { call, seed, index }: CallSituation): boolean {
  switch (calls.kind) {
    case 'every':
      return true
    case 'range':
      return call >= calls.first && call <= (calls.last ?? Number.POSITIVE_INFINITY)
    case 'chance':
      return computeFraction(seed, `${index}/${call}`) < calls.share
    default:
      return calls satisfies never
  }
}

function isThere(
  { from, forMs = Number.POSITIVE_INFINITY }: FaultCondition,
  { since }: CallSituation,
): boolean {
  if (from === undefined) return true
  const elapsed = since(from)
  return elapsed !== undefined && elapsed < forMs
}

/** A request for the service, and the fault that it meets. */
interface PendingRequest {
  readonly request: ServiceRequest
  readonly fault: Fault | undefined
  readonly now: number
  /** The handler that carries it out. */
  readonly route: Handler
}

/**
 * Carries a request out unless a fault prevents that, and returns what is sent to the client; uses no socket. Counts
 * every request as received, even if a fault keeps it from the service; a duplicate counts twice.
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
