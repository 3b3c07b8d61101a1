import type { ParameterName } from '../../contract/operations.js'
import { buildSuccess, rejectRequest } from './answers.js'
import { type EmulatorJsonObject, isObject } from './json.js'
import { readParameters } from './parameters.js'
import { type Check, text } from './shape.js'
import { isReady } from './site-state.js'
import { checkToken } from './token.js'
import { upgradeConfig } from './upgrade-config.js'
import type { Handler, World } from './world.js'

interface UpdateRules {
  readonly check: Check
  stored(world: World, sent: EmulatorJsonObject): EmulatorJsonObject
}

type Checks = Record<Exclude<ParameterName<'update'>, 'f'>, Check>

/** Replaces the placement policy of upgrade pods. Service §4.4. */
export const update: Handler = buildUpdate({ check: upgradeConfig, stored: (_world, sent) => sent })

/** Makes the operation from the check of an upgrade configuration and the way to store one. */
export function buildUpdate({ check, stored }: UpdateRules): Handler {
  const checks = { upgradeConfig: check, token: text } satisfies Checks
  const rules = { operation: 'update', checks, alsoRequired: ['upgradeConfig', 'token'] } as const
  return (world, request, now) => {
    const reading = readParameters(world.version, request, rules)
    if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
    const problem = checkToken(world, reading.value)
    if (problem !== undefined) return rejectRequest(world, request, { message: problem })
    if (!isReady(world, now)) return rejectRequest(world, request, { message: 'The site is not ready.' })
    const sent = reading.value.values.get('upgradeConfig')
    return [isObject(sent) ? { ...world, upgradeConfig: stored(world, sent) } : world, buildSuccess(request)]
  }
}
