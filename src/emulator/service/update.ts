import type { ParameterName } from '../../contract/operations.js'
import { refuse, success } from './answers.js'
import { isObject } from './json.js'
import { readParameters } from './parameters.js'
import type { Handler } from './request.js'
import { type Check, text } from './shape.js'
import { isReady } from './site-state.js'
import { tokenProblem } from './token.js'
import { upgradeConfig } from './upgrade-config.js'

const checks = { upgradeConfig, token: text } satisfies Record<Exclude<ParameterName<'update'>, 'f'>, Check>

/** Replaces the placement policy of upgrade pods. Service §4.4. */
export const update: Handler = (world, request, now) => {
  const rules = { operation: 'update', checks, alsoRequired: ['upgradeConfig', 'token'] } as const
  const reading = readParameters(world.version, request, rules)
  if (!reading.ok) return refuse(world, request, { message: reading.problem })
  const problem = tokenProblem(world, reading.parameters)
  if (problem !== undefined) return refuse(world, request, { message: problem })
  if (!isReady(world, now)) return refuse(world, request, { message: 'The site is not ready.' })
  const value = reading.parameters.values.get('upgradeConfig')
  return [isObject(value) ? { ...world, upgradeConfig: value } : world, success(request)]
}
