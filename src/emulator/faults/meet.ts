import type { OperationName } from '../../contract/operation-name.js'
import { countRequest as counted, type World } from '../service/world.js'
import { computeTimeToReach } from './configuration-progress.js'
import type { Fault, FaultPlace, FaultRule, SiteFault } from './fault.js'
import { appliesNow } from './when.js'

/** A request that arrived whole, for which a fault is to be found. */
export interface ArrivedRequest {
  readonly operation: OperationName | 'unknown'
  readonly now: number
}

/**
 * Counts a request, applies the site faults that are due, and finds the fault that the request meets, if any: that of the
 * first rule that applies. A request has a number among all requests and one among those of its operation.
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
export function countReceived(world: World, operation: OperationName | 'unknown'): World {
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
  const { configuration, durations, seed, calls } = world
  const since = (place: FaultPlace) => {
    if (configuration === undefined) return undefined
    const elapsed = now - configuration.begunAt - computeTimeToReach(place, durations)
    return elapsed < 0 ? undefined : elapsed
  }
  return appliesNow(when, { call: calls[on === 'site' ? 'root' : on], since, seed, index })
}

/** Applies a site fault, at most once. */
function applySiteFault(world: World, rule: FaultRule, moment: Moment): World {
  const { index } = moment
  if (rule.on !== 'site' || world.met[index] === true || !isMet(world, rule, moment)) return world
  const { fault } = rule
  if (fault.kind !== 'replace') {
    // The other faults have no effect without a configuration.
    if (world.configuration === undefined) return world
    return fault.kind === 'forget' ? markMet(removeConfiguration(world), index) : markMet(world, index)
  }
  const { version = world.version, build } = fault
  return markMet({ ...removeConfiguration(world), version, ...(build !== undefined && { build }) }, index)
}

function removeConfiguration({ configuration, upgradeConfig, ...world }: World): World {
  return world
}

function markMet(world: World, index: number): World {
  return world.met[index] === true
    ? world
    : { ...world, met: world.rules.map((_, at) => at === index || world.met[at] === true) }
}
