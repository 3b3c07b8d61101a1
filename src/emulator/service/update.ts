import type { ParameterName } from '../../contract/operations.js'
import { refuse, success } from './answers.js'
import { isObject, type JsonObject } from './json.js'
import { readParameters } from './parameters.js'
import { type Check, text } from './shape.js'
import { isReady } from './site-state.js'
import { tokenProblem } from './token.js'
import { upgradeConfig } from './upgrade-config.js'
import type { Handler, World } from './world.js'

interface Updating {
  readonly check: Check
  stored(world: World, sent: JsonObject): JsonObject
}

type Checks = Record<Exclude<ParameterName<'update'>, 'f'>, Check>

/** Replaces the placement policy of upgrade pods. Service §4.4. */
export const update: Handler = updating({ check: upgradeConfig, stored: (_world, sent) => sent })

/** Makes the operation from the check of an upgrade configuration and the way to store one. */
export function updating({ check, stored }: Updating): Handler {
  const checks = { upgradeConfig: check, token: text } satisfies Checks
  const rules = { operation: 'update', checks, alsoRequired: ['upgradeConfig', 'token'] } as const
  return (world, request, now) => {
    const reading = readParameters(world.version, request, rules)
    if (!reading.ok) return refuse(world, request, { message: reading.error })
    const problem = tokenProblem(world, reading.value)
    if (problem !== undefined) return refuse(world, request, { message: problem })
    if (!isReady(world, now)) return refuse(world, request, { message: 'The site is not ready.' })
    const sent = reading.value.values.get('upgradeConfig')
    return [isObject(sent) ? { ...world, upgradeConfig: stored(world, sent) } : world, success(request)]
  }
}
