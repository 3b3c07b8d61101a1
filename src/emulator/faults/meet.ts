import type { OperationName } from '../../contract/operation-name.js'
import { count as counted, type World } from '../service/world.js'
import { reachedAfterMs } from './course.js'
import type { Fault, Place, Rule, SiteFault } from './fault.js'
import { counts } from './when.js'

/** A request that arrived whole, for which a fault is to be found. */
export interface Meeting {
  readonly operation: OperationName | 'unknown'
  readonly now: number
}

/**
 * Counts a request, applies the site faults that are due, and finds the fault that the request meets, if any: that of the
 * first rule that applies. A request has a number among all requests and one among those of its operation.
 */
export function meet(world: World, { operation, now }: Meeting): readonly [World, Fault | undefined] {
  const called = call(world, operation)
  const happened = world.rules.reduce((current, rule, index) => happen(current, rule, { index, now }), called)
  const index = happened.rules.findIndex(
    (rule, at) => isAbout(rule, operation) && rule.on !== 'site' && isMet(happened, rule, { index: at, now }),
  )
  const rule = happened.rules[index]
  if (rule === undefined || rule.on === 'site') return [happened, undefined]
  return [marked(happened, index), rule.fault]
}

/** Lists the faults of the site that apply at a moment. */
export function siteFaults(world: World, now: number): readonly SiteFault[] {
  return world.rules.flatMap((rule, index) =>
    rule.on === 'site' && isMet(world, rule, { index, now }) ? [rule.fault] : [],
  )
}

/** Lists the rules that no request has met yet. */
export function unmetRules(world: World): readonly Rule[] {
  return world.rules.filter((_, index) => world.met[index] !== true)
}

/** Counts a request that a fault kept from being carried out. */
export function onlyReceived(world: World, operation: OperationName | 'unknown'): World {
  return operation === 'unknown' ? world : counted(world, operation, 'received')
}

interface Moment {
  readonly index: number
  readonly now: number
}

function call(world: World, operation: OperationName | 'unknown'): World {
  const any = world.calls.any + 1
  if (operation === 'unknown') return { ...world, calls: { ...world.calls, any } }
  return { ...world, calls: { ...world.calls, any, [operation]: world.calls[operation] + 1 } }
}

function isAbout({ on }: Rule, operation: OperationName | 'unknown'): boolean {
  return on === 'any' || on === operation
}

function isMet(world: World, { on, when }: Rule, { index, now }: Moment): boolean {
  const { configuration, durations, seed, calls } = world
  const since = (place: Place) => {
    if (configuration === undefined) return undefined
    const elapsed = now - configuration.begunAt - reachedAfterMs(place, durations)
    return elapsed < 0 ? undefined : elapsed
  }
  return counts(when, { call: calls[on === 'site' ? 'root' : on], since, seed, index })
}

/** Applies a site fault, at most once. */
function happen(world: World, rule: Rule, moment: Moment): World {
  const { index } = moment
  if (rule.on !== 'site' || world.met[index] === true || !isMet(world, rule, moment)) return world
  const { fault } = rule
  if (fault.kind !== 'replace') {
    // The other faults have no effect without a configuration.
    if (world.configuration === undefined) return world
    return fault.kind === 'forget' ? marked(unconfigured(world), index) : marked(world, index)
  }
  const { version = world.version, build } = fault
  return marked({ ...unconfigured(world), version, ...(build !== undefined && { build }) }, index)
}

function unconfigured({ configuration, upgradeConfig, ...world }: World): World {
  return world
}

function marked(world: World, index: number): World {
  return world.met[index] === true
    ? world
    : { ...world, met: world.rules.map((_, at) => at === index || world.met[at] === true) }
}
