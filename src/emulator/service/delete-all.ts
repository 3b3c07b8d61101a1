import { type ParameterName, webhookServiceTypes } from '../../contract/operations.js'
import { buildSuccess, rejectRequest } from './answers.js'
import { checkToken, readParameters, requireToken } from './parameters.js'
import type { OperationTarget, ServiceRequest } from './request.js'
import { type Check, text } from './shape.js'
import type { Handler, World } from './world.js'

const checks = { token: text } satisfies Record<Exclude<ParameterName<'deleteAll'>, 'f'>, Check>

/** A request with the name of a service in its path. Service §4.2. */
type DeleteAllRequest = ServiceRequest & {
  readonly target: Extract<OperationTarget, { operation: 'deleteAll' }>
}

/**
 * Deletes all webhooks of one service, permanently; succeeds for a service without any. Service §4.2.
 *
 * It is not documented whether the site must be ready, so it need not be.
 */
export const deleteAll: Handler<DeleteAllRequest> = (world, request) => {
  const { service } = request.target
  const rules = { operation: 'deleteAll', checks, alsoRequired: requireToken(world) } as const
  const reading = readParameters(world, request, rules)
  if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
  const problem = checkToken(world, reading.value) ?? checkService(world, service)
  if (problem !== undefined) return rejectRequest(world, request, { message: problem })
  if (world.webhooks === undefined) return [world, buildSuccess(request)]
  return [{ ...world, webhooks: new Map(world.webhooks).set(service, 0) }, buildSuccess(request)]
}

/** Checks the service that a path names. Service §4.2. */
export function checkService(world: World, service: string): string | undefined {
  const dot = service.lastIndexOf('.')
  const types: readonly string[] = webhookServiceTypes
  if (dot < 1 || !types.includes(service.slice(dot + 1)))
    return `The service must be named <ServiceName>.<ServiceType>, with the type ${types.join(' or ')}.`
  const exists = world.webhooks === undefined || world.webhooks.has(service)
  return exists ? undefined : 'There is no such service.'
}
